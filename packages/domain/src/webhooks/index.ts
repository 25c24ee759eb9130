export { nextAttempt, retryAfterSeconds } from './retry-schedule.ts';
export { buildEventBody, removeDonorTexts } from './webhook-event.ts';
export { webhookHeaders } from './webhook-signature.ts';
export {
  type AllowedHosts,
  checkWebhookTarget,
  describeNonPublicAddress,
  parseAllowedHosts,
  withoutQuery,
} from './webhook-target.ts';
