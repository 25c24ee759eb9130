export * from './generated/error-classes.ts';
export { createPaywatch, type Paywatch, type PaywatchOptions } from './paywatch.ts';
export { PaywatchConnectionError, PaywatchError } from './paywatch-error.ts';
export type { CallOptions, IdempotentCallOptions } from './call.ts';
export type { List, Page } from './list.ts';
export type { FollowOptions, StreamMessage } from './follow-stream.ts';
export type * from './schemas.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookRefusal,
} from './verify-webhook.ts';
