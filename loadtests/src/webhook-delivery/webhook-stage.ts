import { createCertificateAuthority, type CertificateAuthority } from '@paywatch/dev/servers';
import { startStackService, type StackService } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { createSealer, parseSealingKeys, randomBase58, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { byOperator } from '@paywatch/store/accounts';
import { endpointSecretPlace, insertEvents, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { randomBytes } from 'node:crypto';
import { startBenchServers } from '../shared/bench-servers.ts';
import { startWebhookReceivers, type WebhookReceivers } from './webhook-receivers.ts';

/** Postgres, Redis, one webhook worker, receivers, and a project for each endpoint. */
export type WebhookStage = {
  store: Store;
  receivers: WebhookReceivers;
  authority: CertificateAuthority;
  healthyIds: readonly bigint[];
  hangingIds: readonly bigint[];
  worker: StackService;
};

/** Starts it on its own servers; `parts` stops it. */
export async function setWebhookStage(
  parts: AsyncDisposableStack,
  counts: { healthy: number; hanging: number },
): Promise<WebhookStage> {
  const folder = temporaryFolder('bench');
  const authority = await createCertificateAuthority(folder);
  const { store, databaseUrl, redisUrl } = await startBenchServers(parts);
  const receivers = await startWebhookReceivers(authority, counts.hanging);
  parts.defer(receivers.stop);
  const keys = `bench:${randomBytes(32).toString('base64')}`;
  const sealer = createSealer(parseSealingKeys(keys));
  const healthyUrls = Array.from({ length: counts.healthy }, () => receivers.healthyUrl);
  const healthyIds = await openProjects(store, sealer, healthyUrls);
  const hangingIds = await openProjects(store, sealer, receivers.hangingUrls);
  const env = {
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: keys,
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
    WEBHOOK_CA_FILE: authority.caFile,
    DRAIN_SECONDS: '0',
  };
  const entry = 'services/webhook-worker/src/main.ts';
  const worker = await startStackService({ name: 'webhook-worker', entry, folder, env });
  parts.defer(worker.stop);
  return { store, receivers, authority, healthyIds, hangingIds, worker };
}

async function openProjects(store: Store, sealer: Sealer, urls: readonly string[]): Promise<bigint[]> {
  const rows = await store.sql<{ id: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash)
      select gen_random_uuid() || '@example.org', 'none' from generate_series(1, ${urls.length}::int) returning id
    )
    insert into projects (account_id, name, donate_token, overlay_token)
    select id, 'Shop', 'donate-' || id, 'overlay-' || id from account returning id`;
  const ids = rows.map(({ id }) => id);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  for (const [index, url] of urls.entries()) {
    const projectId = ids[index];
    if (projectId === undefined) continue;
    const secretSealed = sealer.seal(secret, endpointSecretPlace(projectId));
    await setWebhookEndpoint(store, byOperator, { projectId, url, secretSealed });
  }
  return ids;
}

/** Inserts one event for each of these projects, in one transaction, as a settlement does. */
export async function causeEvents({ sql }: Store, projectIds: readonly bigint[]): Promise<void> {
  const events = projectIds.map((projectId) => {
    const publicId = `evt_${randomBase58(16)}`;
    const type = 'invoice.confirmed';
    return { publicId, projectId, invoiceId: null, type, txid: null, body: eventBody() };
  });
  await sql.begin((tx) => insertEvents(tx, events));
}

/** An event body of the usual length, with its time: epoch milliseconds with fractions. */
export function eventBody(): string {
  return JSON.stringify({
    causedAtMs: performance.timeOrigin + performance.now(),
    padding: 'x'.repeat(900),
  });
}
