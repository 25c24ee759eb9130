import type { Logger, Registry } from '@paywatch/runtime/observability';
import { systemClock, type Clock } from '@paywatch/runtime/process';
import { createSealer, deriveKey, parseSealingKeys, type Sealer } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import { invoiceCreation, type CreateInvoice, type CreationSettings } from '@paywatch/store/invoices';
import type { CredentialCache } from '@paywatch/store/redis';
import { createPasswordHasher, type PasswordHasher } from './auth/password/password-hasher.ts';
import type { ApiConfig } from './config.ts';
import { invoiceReader, type ReadInvoice } from './invoices/invoice-reader.ts';
import { invoiceSettings } from './invoices/invoice-settings.ts';
import { createLimiters, type Limiters } from './limits/limiters.ts';
import { createCredentialGuard, type CredentialGuard } from './limits/unknown-credential-limit.ts';
import { rateReader, type ReadRate } from './rates/rate-reader.ts';
import { createLogoDrawer, type DrawLogo } from './uploads/draw-logo.ts';
import { createUploadSlots, type UploadSlots } from './uploads/upload-slots.ts';
import { createWebhookGuard, type WebhookGuard } from './webhooks/webhook-guard.ts';

/** What all parts of the API share. Opened once and passed as the first argument. */
export type Dependencies = {
  readonly config: ApiConfig;
  readonly store: Store;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Metrics are registered here. */
  readonly registry: Registry;
  /** Encrypts webhook secrets. */
  readonly sealer: Sealer;
  readonly credentialCache: CredentialCache;
  /** Hashes the networks of donors. */
  readonly donorNetworkKey: Buffer;
  /** Signs the proof-of-work challenges of donation links. */
  readonly donationProofKey: Buffer;
  readonly passwords: PasswordHasher;
  readonly limiters: Limiters;
  readonly credentialGuard: CredentialGuard;
  readonly webhookGuard: WebhookGuard;
  /** Bounds the uploaded files in memory. */
  readonly uploadSlots: UploadSlots;
  readonly drawLogo: DrawLogo;
  readonly invoiceSettings: CreationSettings;
  /** Creates invoices. There is one per process, because it holds address hints in memory. */
  readonly createInvoice: CreateInvoice;
  readonly readInvoice: ReadInvoice;
  readonly readRate: ReadRate;
  /** Aborts when the process shuts down: streams end, and connections are no longer kept alive. */
  readonly closing: AbortSignal;
};

/**
 * Opens the dependencies; the caller closes `store`. Throws SealingError for invalid ENCRYPTION_KEYS, TypeError for invalid
 * WEBHOOK_ALLOWED_HOSTS.
 */
export function openDependencies(
  config: ApiConfig,
  logger: Logger,
  registry: Registry,
  closing: AbortSignal,
  clock: Clock = systemClock,
): Dependencies {
  const { env } = config;
  const sealingKeys = parseSealingKeys(env.ENCRYPTION_KEYS);
  const store = openStore({
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databaseReadUrl: env.DATABASE_READ_URL,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    role: 'api',
    applicationName: 'paywatch-api',
    poolSize: env.DATABASE_POOL_SIZE,
    onRedisError: (error) => logger.warn({ reason: error.message }, 'redis connection failed'),
  });
  const limiters = createLimiters(store, config.limits, registry);
  const settings = invoiceSettings(config);
  return {
    config,
    store,
    logger,
    clock,
    registry,
    sealer: createSealer(sealingKeys),
    credentialCache: {
      ...store,
      macKey: deriveKey(sealingKeys, 'credential cache'),
      clock,
      projects: new Map(),
    },
    donorNetworkKey: deriveKey(sealingKeys, 'donor networks'),
    donationProofKey: deriveKey(sealingKeys, 'donation proofs'),
    passwords: createPasswordHasher(env.PASSWORD_HASHES_AT_ONCE),
    limiters,
    credentialGuard: createCredentialGuard(limiters),
    webhookGuard: createWebhookGuard(env.WEBHOOK_ALLOWED_HOSTS, env.WEBHOOK_DNS_SERVERS),
    uploadSlots: createUploadSlots(),
    drawLogo: createLogoDrawer(),
    invoiceSettings: settings,
    createInvoice: invoiceCreation(store, settings, (err) =>
      logger.warn({ err }, 'address refill not requested; a watcher will notice the low pool'),
    ),
    readInvoice: invoiceReader(store, settings),
    readRate: rateReader(store),
    closing,
  };
}
