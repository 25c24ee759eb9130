import type { OperationId } from '../operations.ts';
import { accountExamples } from './examples/account.ts';
import { brandingExamples } from './examples/branding.ts';
import { donationPageExamples } from './examples/donation-page.ts';
import { exportExamples } from './examples/exports.ts';
import { invoiceExamples } from './examples/invoices.ts';
import { leavingExamples } from './examples/leaving.ts';
import { memberExamples } from './examples/members.ts';
import { moderationExamples } from './examples/moderation.ts';
import type { OperationExample } from './examples/operation-example.ts';
import { paymentLinkExamples } from './examples/payment-links.ts';
import { projectExamples } from './examples/projects.ts';
import { publicExamples } from './examples/public.ts';
import { passkeyExamples } from './examples/passkeys.ts';
import { secondFactorExamples } from './examples/second-factors.ts';
import { sessionExamples } from './examples/sessions.ts';
import { setupExamples } from './examples/setup.ts';
import { subscriptionExamples } from './examples/subscription.ts';
import { uploadExamples } from './examples/uploads.ts';
import { walletChangeExamples } from './examples/wallet-changes.ts';
import { webhookEndpointExamples } from './examples/webhook-endpoints.ts';

/** One example for every operation, in files like those of the operations; the tests replay each against a real run. */
export const OPERATION_EXAMPLES = {
  ...accountExamples,
  ...sessionExamples,
  ...secondFactorExamples,
  ...passkeyExamples,
  ...subscriptionExamples,
  ...setupExamples,
  ...walletChangeExamples,
  ...webhookEndpointExamples,
  ...invoiceExamples,
  ...paymentLinkExamples,
  ...exportExamples,
  ...publicExamples,
  ...moderationExamples,
  ...uploadExamples,
  ...leavingExamples,
  ...donationPageExamples,
  ...brandingExamples,
  ...projectExamples,
  ...memberExamples,
} as const satisfies Record<OperationId, OperationExample>;
