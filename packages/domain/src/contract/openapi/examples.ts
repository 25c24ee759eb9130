import type { OperationId } from '../operations.ts';
import { accountExamples } from './examples/account/account.ts';
import { brandingExamples } from './examples/pages/branding.ts';
import { donationPageExamples } from './examples/pages/donation-page.ts';
import { exportExamples } from './examples/merchant/exports.ts';
import { invoiceExamples } from './examples/merchant/invoices.ts';
import { leavingExamples } from './examples/account/leaving.ts';
import { memberExamples } from './examples/account/members.ts';
import { moderationExamples } from './examples/pages/moderation.ts';
import type { OperationExample } from './examples/operation-example.ts';
import { operatorExamples } from './examples/account/operator.ts';
import { paymentLinkExamples } from './examples/merchant/payment-links.ts';
import { projectExamples } from './examples/account/projects.ts';
import { publicExamples } from './examples/pages/public.ts';
import { passkeyExamples } from './examples/account/passkeys.ts';
import { secondFactorExamples } from './examples/account/second-factors.ts';
import { sessionExamples } from './examples/account/sessions.ts';
import { setupExamples } from './examples/merchant/setup.ts';
import { subscriptionExamples } from './examples/account/subscription.ts';
import { uploadExamples } from './examples/pages/uploads.ts';
import { walletChangeExamples } from './examples/merchant/wallet-changes.ts';
import { webhookEndpointExamples } from './examples/merchant/webhook-endpoints.ts';

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
  ...operatorExamples,
} as const satisfies Record<OperationId, OperationExample>;
