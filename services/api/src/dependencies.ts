import type { Logger, Registry } from '@paywatch/runtime/observability';
import { systemClock, type Clock } from '@paywatch/runtime/process';
import { createSealer, deriveKey, parseSealingKeys, type Sealer } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import type { CredentialCache } from '@paywatch/store/redis';
import { createPasswordHasher, type PasswordHasher } from './auth/password-hasher.ts';
import type { ApiConfig } from './config.ts';
import { createLimiters, type Limiters } from './limiters.ts';
import { createCredentialGuard, type CredentialGuard } from './middleware/credential-guard.ts';
import { createWebhookGuard, type WebhookGuard } from './webhooks/webhook-guard.ts';

/** What every part of the API may use; opened once, passed first. */
export type Dependencies = {
  readonly config: ApiConfig;
  readonly store: Store;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where metrics are registered. */
  readonly registry: Registry;
  readonly sealer: Sealer;
  readonly credentialCache: CredentialCache;
  /** Hides the networks of donors. */
  readonly donorNetworkKey: Buffer;
  /** Signs the challenges of donation links. */
  readonly donationProofKey: Buffer;
  readonly passwords: PasswordHasher;
  readonly limiters: Limiters;
  readonly credentialGuard: CredentialGuard;
  readonly webhookGuard: WebhookGuard;
  /** Fires when the process is asked to end: streams end, and connections are not kept. */
  readonly closing: AbortSignal;
};

/** Opens what the configuration names. The caller closes `store`. Throws SealingError on faulty
 * ENCRYPTION_KEYS, TypeError on a faulty WEBHOOK_ALLOWED_HOSTS. */
export function openDependencies(
  config: ApiConfig,
  logger: Logger,
  registry: Registry,
  closing: AbortSignal,
  clock: Clock = systemClock,
): Dependencies {
  const sealingKeys = parseSealingKeys(config.env.ENCRYPTION_KEYS);
  const store = openStore({
    databaseUrl: config.env.DATABASE_URL,
    databaseDirectUrl: config.env.DATABASE_DIRECT_URL,
    databaseReadUrl: config.env.DATABASE_READ_URL,
    redisUrl: config.env.REDIS_URL,
    redisPrefix: config.env.REDIS_PREFIX,
    role: 'api',
    applicationName: 'paywatch-api',
    poolSize: config.env.DATABASE_POOL_SIZE,
    onRedisError: (error) => logger.warn({ reason: error.message }, 'redis connection failed'),
  });
  const limiters = createLimiters(store, config.limits, registry);
  return {
    config,
    store,
    logger,
    clock,
    registry,
    sealer: createSealer(sealingKeys),
    credentialCache: { ...store, macKey: deriveKey(sealingKeys, 'credential cache'), clock },
    donorNetworkKey: deriveKey(sealingKeys, 'donor networks'),
    donationProofKey: deriveKey(sealingKeys, 'donation proofs'),
    passwords: createPasswordHasher(config.env.PASSWORD_HASHES_AT_ONCE),
    limiters,
    credentialGuard: createCredentialGuard(limiters),
    webhookGuard: createWebhookGuard(config.env.WEBHOOK_ALLOWED_HOSTS, config.env.WEBHOOK_DNS_SERVERS),
    closing,
  };
}
