import {
  startLoadBalancer,
  startPostgres,
  startRedisSentinel,
  type RedisWithFailover,
} from '@paywatch/dev/servers';
import type { StackService } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';
import { snapshotSettings } from '@paywatch/loadtests/snapshot-settings';
import type { Store } from '@paywatch/store';
import { migrate } from '@paywatch/store/postgres';
import { randomBytes } from 'node:crypto';
import { openDriverStore, started, startServices } from '../shared/stage.ts';

/** API replicas behind a balancer, Redis with Sentinels, and the projects and invoices of the streams. */
export type StreamsStage = {
  store: Store;
  sentinel: RedisWithFailover;
  /** The URL of the balancer, and its port. */
  url: string;
  port: number;
  replicas: readonly StackService[];
  projects: readonly Project[];
  /** Public ids of orders with version 1. */
  orders: readonly string[];
};

/** The replicas' configuration for views of invoices. */
const SETTINGS = snapshotSettings('regtest');

/** A project with an overlay and a control page, and two donations to which transactions are added: one has a link in its message. */
export type Project = {
  projectId: bigint;
  overlayToken: string;
  controlToken: string;
  donationId: bigint;
  linkDonationId: bigint;
};

type Counts = { replicas: number; projects: number; orders: number };

/** Starts the stage on its own servers; `parts` stops it. */
export async function setStreamsStage(parts: AsyncDisposableStack, counts: Counts): Promise<StreamsStage> {
  const folder = temporaryFolder('chaos');
  const [postgres, sentinel] = await Promise.all([
    started(parts, startPostgres({ own: true })),
    started(parts, startRedisSentinel()),
  ]);
  await migrate(postgres.url);
  const store = openDriverStore(postgres, sentinel);
  parts.defer(store.close);
  const env = {
    LOG_LEVEL: 'warn',
    DATABASE_URL: postgres.url,
    REDIS_URL: sentinel.url,
    PUBLIC_URL: SETTINGS.publicUrl,
    BTC_NETWORK: 'regtest',
    BTC_NODE_URL: 'http://node.example',
    ENCRYPTION_KEYS: `chaos:${randomBytes(32).toString('base64')}`,
    // All clients have the same address.
    STREAM_LIMIT: '1000000',
    PUBLIC_READ_LIMIT_POINTS: '1000000000',
    DRAIN_SECONDS: '0',
  };
  const replicas = await startServices(parts, { kind: 'api', count: counts.replicas, folder, env });
  const backends = replicas.map(({ port = 0, adminPort }) => ({ port, healthPort: adminPort }));
  const balancer = await started(parts, startLoadBalancer({ backends }));
  await waitUntil(async () => (await fetch(`${balancer.url}/v1/openapi.json`)).ok, { what: 'the balancer' });
  const { url } = balancer;
  const port = Number(new URL(url).port);
  return { store, sentinel, url, port, replicas, ...(await openProjects(store, counts)) };
}

async function openProjects(
  { sql }: Store,
  counts: Counts,
): Promise<Pick<StreamsStage, 'projects' | 'orders'>> {
  const projects = await sql<Project[]>`
    with accounts as (
      insert into accounts (email, password_hash)
      select n || '@example.org', 'none' from generate_series(1, ${counts.projects}::int) n returning id
    ), projects as (
      insert into projects (account_id, name, donate_token, overlay_token)
      select id, 'Shop ' || id, 'donate-' || id, 'overlay-' || id from accounts returning id, overlay_token
    ), controls as (
      insert into overlay_controls (project_id, token)
      select id, 'control-' || id from projects returning project_id, token
    ), donations as (
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
                            confirmations_required, donor_name, donor_message, ttl_seconds, expires_at, deadline_at)
      select 'inv_' || kind || id, id, 'donation', 'BTC', 1, 0, 'bcrt1qchaos', '\\x0014', false, 1, 'Donor', message, 900, now(), now()
      from projects, (values ('plain', 'Keep going!'), ('link', 'Buy at https://spam.example')) kinds (kind, message)
      returning id, project_id, donor_message
    )
    select p.id as "projectId", p.overlay_token as "overlayToken", c.token as "controlToken",
      d.id as "donationId", l.id as "linkDonationId"
    from projects p join controls c on c.project_id = p.id
    join donations d on d.project_id = p.id and d.donor_message not like '%spam%'
    join donations l on l.project_id = p.id and l.donor_message like '%spam%'`;
  const orders = await sql<{ public_id: string }[]>`
    insert into invoices (public_id, project_id, type, status, currency, pool_id, address_index, address, script,
                          address_reused, expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
    select 'inv_' || translate(lpad(n::text, 16, '0'), '0', 'o'), ${projects[0]?.projectId ?? 0n}, 'order', 'pending', 'BTC', 1, 0, 'bcrt1qchaos', '\\x0014', false,
           100000, 6, 900, now() + interval '1 day', now() + interval '1 day'
    from generate_series(1, ${counts.orders}::int) n
    returning public_id`;
  return { projects: [...projects], orders: orders.map((order) => order.public_id) };
}
