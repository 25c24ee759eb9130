import type { ErrorCode } from './error-codes.ts';
import { accountOperations } from './operations/account/account.ts';
import { brandingOperations } from './operations/pages/branding.ts';
import { donationPageOperations } from './operations/pages/donation-page.ts';
import { exportOperations } from './operations/merchant/exports.ts';
import { invoiceOperations } from './operations/merchant/invoices.ts';
import { leavingOperations } from './operations/account/leaving.ts';
import { memberOperations } from './operations/account/members.ts';
import { moderationOperations } from './operations/pages/moderation.ts';
import type { Operation } from './operations/operation.ts';
import { operatorOperations } from './operations/account/operator.ts';
import { passkeyOperations } from './operations/account/passkeys.ts';
import { paymentLinkOperations } from './operations/merchant/payment-links.ts';
import { projectOperations } from './operations/account/projects.ts';
import { publicOperations } from './operations/pages/public.ts';
import { secondFactorOperations } from './operations/account/second-factors.ts';
import { sessionOperations } from './operations/account/sessions.ts';
import { setupOperations } from './operations/merchant/setup.ts';
import { subscriptionOperations } from './operations/account/subscription.ts';
import { uploadOperations } from './operations/pages/uploads.ts';
import { walletChangeOperations } from './operations/merchant/wallet-changes.ts';
import { webhookEndpointOperations } from './operations/merchant/webhook-endpoints.ts';

export type {
  Operation,
  OperationResponse,
  OperationTag,
  RateLimitName,
  ResponseHeaderName,
  StreamMessage,
} from './operations/operation.ts';

/**
 * Every operation of the API by its operationId. The API validates by this table and the OpenAPI document is made
 * from it, so that neither can say what the other does not do. An operationId is never renamed: SDKs are named by it.
 */
export const OPERATIONS = {
  ...accountOperations,
  ...sessionOperations,
  ...secondFactorOperations,
  ...passkeyOperations,
  ...subscriptionOperations,
  ...setupOperations,
  ...walletChangeOperations,
  ...webhookEndpointOperations,
  ...invoiceOperations,
  ...paymentLinkOperations,
  ...exportOperations,
  ...publicOperations,
  ...moderationOperations,
  ...uploadOperations,
  ...donationPageOperations,
  ...brandingOperations,
  ...leavingOperations,
  ...projectOperations,
  ...memberOperations,
  ...operatorOperations,
} as const satisfies Record<string, Operation>;

/** The name of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** All codes that an operation may return: its own, and those that follow from how it is reached. */
export function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>();
  if (operation.body !== undefined) BODY_ERRORS.forEach((code) => codes.add(code));
  if (operation.upload !== undefined) UPLOAD_ERRORS.forEach((code) => codes.add(code));
  if (operation.auth !== 'none') codes.add('unauthorized').add('forbidden');
  if (isOfProject(operation)) codes.add('project_not_found');
  if (operation.unknownParam !== undefined) codes.add(operation.unknownParam);
  operation.errors.forEach((code) => codes.add(code));
  if (operation.params !== undefined && operation.unknownParam === undefined) codes.add('validation_error');
  codes.add('rate_limited');
  return [...codes, 'internal_error', 'service_unavailable'];
}

/** Whether a session may name the project that it acts on. */
export function isOfProject({ role }: Operation): boolean {
  return role !== undefined && role !== 'account' && role !== 'operator';
}

const UPLOAD_ERRORS = ['file_too_large', 'unsupported_media_type', 'validation_error'] as const;
const BODY_ERRORS = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_error',
] as const;
