export { connectRedis } from './client.ts';
export {
  type CheckedCredential,
  type CountedCredential,
  type Credential,
  type CredentialCache,
  resolveAndCount,
  resolveSession,
} from './credential-cache.ts';
export { HINTS_PER_CLASS, addLeaseHints } from './free-addresses.ts';
export { inspectRedis, isRedisAnswering, isRedisReady } from './inspect.ts';
export { createKeys } from './keys.ts';
export { loadClientWindows, saveClientWindow } from './limits/client-windows.ts';
export { type KeyLimiters, projectCounter } from './limits/key-limits.ts';
export {
  type RateLimitState,
  type RateLimiter,
  type RateLimiterOptions,
  createRateLimiter,
} from './limits/rate-limits.ts';
export { StreamSlots } from './limits/stream-slots.ts';
export { type ChangedInvoice, publishInvoicesChanged, publishOverlayDonations } from './pubsub/publish.ts';
export { Subscriber, type Subscription } from './pubsub/subscriber.ts';
