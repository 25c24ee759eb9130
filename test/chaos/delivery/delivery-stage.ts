import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import {
  createCertificateAuthority,
  startPostgres,
  startRedis,
  type CertificateAuthority,
  type Postgres,
  type Redis,
} from '@paywatch/dev/servers';
import type { StackService } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { createPayer } from '@paywatch/dev/wallet';
import { publicId } from '@paywatch/domain/values';
import { createSealer, parseSealingKeys, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { byOperator } from '@paywatch/store/accounts';
import { migrate } from '@paywatch/store/postgres';
import { endpointSecretPlace, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { randomBytes } from 'node:crypto';
import { startFlakyMerchant, type FlakyMerchant } from './flaky-merchant.ts';
import { hasReadChain, openDriverStore, started, startServices } from '../shared/stage.ts';

/** The processes that decide and deliver outcomes. Without an API: the driver inserts its invoices itself. */
export type DeliveryStage = {
  store: Store;
  redis: Redis;
  merchant: FlakyMerchant;
  /** One project per shop of the merchant. */
  projectIds: readonly bigint[];
  watchers: readonly StackService[];
  workers: readonly StackService[];
};

type Counts = { shops: number; watchers: number; workers: number };

/** Starts the stage on its own servers; `parts` stops it. */
export async function setDeliveryStage(
  parts: AsyncDisposableStack,
  counts: Counts,
  random: SeededRandom,
): Promise<DeliveryStage> {
  const folder = temporaryFolder('chaos');
  const [postgres, redis, node, authority] = await Promise.all([
    started(parts, startPostgres({ own: true })),
    started(parts, startRedis({ own: true })),
    started(parts, startLitecoinNode({ mweb: false })),
    createCertificateAuthority(folder),
  ]);
  await Promise.all([migrate(postgres.url), createPayer(node).fund()]);
  const keys = `chaos:${randomBytes(32).toString('base64')}`;
  const store = openDriverStore(postgres, redis);
  parts.defer(store.close);
  const shops = await openShops(parts, {
    store,
    authority,
    random,
    sealer: createSealer(parseSealingKeys(keys)),
    count: counts.shops,
  });
  const env = environmentOf({ postgres, redis, node, authority, keys });
  const watchers = await startServices(parts, { kind: 'watcher', count: counts.watchers, folder, env });
  const workers = await startServices(parts, { kind: 'webhook-worker', count: counts.workers, folder, env });
  await waitUntil(() => hasReadChain(store), { what: 'a watcher to have read the chain' });
  return { store, redis, ...shops, watchers, workers };
}

function environmentOf(servers: {
  postgres: Postgres;
  redis: Redis;
  node: ChainNode;
  authority: CertificateAuthority;
  keys: string;
}): Record<string, string> {
  return {
    LOG_LEVEL: 'warn',
    DATABASE_URL: servers.postgres.url,
    REDIS_URL: servers.redis.url,
    PUBLIC_URL: 'http://localhost',
    LTC_NETWORK: 'regtest',
    LTC_NODE_URL: servers.node.url,
    ENCRYPTION_KEYS: servers.keys,
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
    WEBHOOK_CA_FILE: servers.authority.caFile,
    DRAIN_SECONDS: '0',
  };
}

async function openShops(
  parts: AsyncDisposableStack,
  given: {
    store: Store;
    authority: CertificateAuthority;
    random: SeededRandom;
    sealer: Sealer;
    count: number;
  },
): Promise<{ merchant: FlakyMerchant; projectIds: bigint[] }> {
  const { store, authority, random, sealer, count } = given;
  const secrets = Array.from({ length: count }, () => `whsec_${randomBytes(32).toString('base64')}`);
  const certificate = await authority.issue();
  const merchant = await started(parts, startFlakyMerchant({ certificate, secrets, random }));
  const projectIds = await createProjects(store, count);
  await Promise.all(
    projectIds.map((projectId, shop) =>
      setWebhookEndpoint(store, byOperator, {
        projectId,
        url: merchant.url(shop),
        secretSealed: sealer.seal(secrets[shop] ?? '', endpointSecretPlace(projectId)),
      }),
    ),
  );
  return { merchant, projectIds };
}

async function createProjects({ sql }: Store, count: number): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash)
      select shop || '@example.org', 'none' from generate_series(1, ${count}::int) shop returning id
    )
    insert into projects (account_id, name, donate_token, overlay_token)
    select id, 'Shop ' || id, 'donate-' || id, 'overlay-' || id from account returning id`;
  return rows.map(({ id }) => id);
}

/**
 * Inserts invoices whose deadline has passed: the watchers' next sweep expires them. Returns their public ids after the commit.
 */
export async function causeExpiries(
  { sql }: Store,
  projectIds: readonly bigint[],
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => publicId('inv_', randomBytes(16)));
  const owners = ids.map((_, index) => String(projectIds[index % projectIds.length]));
  await sql`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
                          expected_amount, confirmations_required, ttl_seconds, created_at, expires_at, deadline_at)
    select public_id, project_id, 'order', 'LTC', 1, 0, 'rltc1qchaos', '\\x0014', false, 100000, 1, 900,
           now() - interval '20 minutes', now() - interval '3 minutes', now() - interval '1 minute'
    from unnest(${ids}::text[], ${owners}::bigint[]) as wanted (public_id, project_id)`;
  return ids;
}

/** Makes delayed retries due now. Attempts in flight keep their claims. */
export async function skipRetryDelays({ sql }: Store): Promise<void> {
  await sql`
    update deliveries set next_attempt_at = now(), relay_at = now()
    where id in (
      select id from deliveries
      where status = 'pending' and next_attempt_at > now() and claimed_until is null
      for update skip locked)`;
}
