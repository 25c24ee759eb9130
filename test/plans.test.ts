import { startPostgres, startRedis, type Postgres, type Redis } from '@paywatch/dev';
import { openChain, openMerchants, type Merchant } from '@paywatch/loadtests/merchants';
import { writeHistory } from '@paywatch/loadtests/invoice-history';
import {
  ANY_INVOICE,
  deleteOldIdempotencyKeys,
  extendInvoice,
  findDonationLink,
  findLeasedScripts,
  findPoolsToRefill,
  findSpenders,
  foldDays,
  foldShards,
  getEvent,
  hasInvoice,
  invoiceCreation,
  listEvents,
  listFreshIndexes,
  listInvoices,
  loadDueAmounts,
  loadFirstSeen,
  loadInvoiceVersions,
  loadRivalPayments,
  loadScriptLeases,
  loadSnapshotsById,
  loadSnapshotsByPublicId,
  loadUnsettledTransactions,
  lockUnsettledInvoices,
  migrate,
  openStore,
  readStats,
  releaseLeases,
  takeDueDecisions,
  takeDueDeliveries,
  takePastDeadline,
  unwatchOldLeases,
  voidLongAbsent,
  type InvoiceFilter,
  type NewInvoice,
  type Store,
} from '@paywatch/store';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Tables that grow with invoices. */
const GROWING = new Set([
  'invoices',
  'address_leases',
  'pool_addresses',
  'transactions',
  'transaction_inputs',
  'payments',
  'events',
  'deliveries',
  'delivery_attempts',
  'idempotency_keys',
  'project_stats',
  'overlay_donations',
]);
const INVOICES = 20_000;
/** Rows of one table that one statement may look at: some pages of a list, never a share of the table. */
const MOST_ROWS = 1500;

const SETTINGS = {
  publicUrl: 'https://pay.example',
  toleranceBps: 0,
  networks: { BTC: 'mainnet', LTC: 'mainnet' },
  quarantineSeconds: 3600,
} as const;

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
};

let server: Postgres;
let redis: Redis;
/** Whose statements tell how they were run. */
let store: Store;
let explained: postgres.Sql<{ bigint: bigint }>;
let merchant: Merchant;
let publicIds: string[];
let plans: PlanNode[] = [];

beforeAll(async () => {
  [server, redis] = await Promise.all([startPostgres({ own: true }), startRedis({ own: true })]);
  await migrate(server.url);
  const plain = openStore({
    databaseUrl: server.url,
    redisUrl: redis.url,
    redisPrefix: 'pw',
    role: 'api',
    applicationName: 'plans',
    onRedisError: () => undefined,
  });
  await openChain(plain);
  const merchants = await openMerchants(plain, 5, 500);
  await writeHistory(plain, merchants, { count: INVOICES, days: 200 });
  [merchant = merchant] = merchants;
  // As the watchers do every few minutes.
  for (const fold of [foldShards, foldDays]) while ((await fold(plain, 5000)) > 0);
  explained = postgres(server.url, {
    max: 2,
    types: { bigint: postgres.BigInt },
    onnotice: ({ message = '' }) => {
      const json = /plan:\n([^]*)/.exec(message)?.[1];
      if (json !== undefined) plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan);
    },
    // Those of the store, and every plan with what it looked at.
    connection: {
      enable_seqscan: 'off',
      jit: false,
      TimeZone: 'UTC',
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
    },
  });
  store = {
    ...plain,
    sql: explained,
    close: async () => void (await Promise.all([explained.end(), plain.close()])),
  };
  const rows = await explained<{ public_id: string }[]>`
    select public_id from invoices where project_id = ${merchant.projectId} order by id`;
  publicIds = rows.map((row) => row.public_id);
});
afterAll(async () => {
  await store.close();
  await Promise.all([server.stop(), redis.stop()]);
});

const middle = () => publicIds[Math.floor(publicIds.length / 2)] ?? '';
const daysAgo = (days: number) => Date.now() - days * 86_400_000;

/** Each value of each filter alone, rare and frequent ones, and all together. */
const FILTERS: Partial<InvoiceFilter>[] = [
  {},
  { status: 'confirmed' },
  { status: 'late_payment' },
  { type: 'donation' },
  { currency: 'BTC' },
  { currency: 'LTC' },
  { orderId: 'past-100' },
  { isReversed: true },
  { isReversed: false },
  { createdFromMs: daysAgo(100) },
  { createdToMs: daysAgo(100) },
  { createdFromMs: daysAgo(150), createdToMs: daysAgo(100) },
  { status: 'underpaid', type: 'donation', currency: 'LTC' },
  {
    status: 'confirmed',
    type: 'order',
    currency: 'BTC',
    orderId: 'past-100',
    isReversed: false,
    createdFromMs: daysAgo(150),
    createdToMs: daysAgo(100),
  },
];

const list = (filter: Partial<InvoiceFilter>, after: string | null) => () =>
  listInvoices(store, merchant.projectId, { ...ANY_INVOICE, ...filter }, { limit: 51, after }, SETTINGS);

const STATEMENTS: [name: string, run: () => Promise<unknown>][] = [
  ...FILTERS.map((filter): [string, () => Promise<unknown>] => [
    `list ${JSON.stringify(filter)}`,
    list(filter, null),
  ]),
  ...FILTERS.map((filter): [string, () => Promise<unknown>] => [
    `list ${JSON.stringify(filter)} from the middle`,
    () => list(filter, middle())(),
  ]),
  ['create', () => invoiceCreation(store, SETTINGS)(order('new-1'))],
  ['create again', () => invoiceCreation(store, SETTINGS)(order('past-100'))],
  ['read by public id', () => loadSnapshotsByPublicId(explained, [middle()], SETTINGS)],
  ['read by id', () => loadSnapshotsById(explained, [100n], SETTINGS)],
  ['read versions', () => loadInvoiceVersions(store, publicIds.slice(0, 100))],
  ['look for an invoice', () => hasInvoice(store, merchant.projectId, middle())],
  ['extend', () => extendInvoice(store, merchant.projectId, middle(), SETTINGS)],
  ['statistics', () => readStats(store, merchant.projectId, 30)],
  ['donation link', () => findDonationLink(store, 'donate-1')],
  ['list events', () => listEvents(store, merchant.projectId, { limit: 51 })],
  [
    'list events of a type',
    () => listEvents(store, merchant.projectId, { limit: 51, type: 'invoice.expired' }),
  ],
  ['read an event', () => getEvent(store, merchant.projectId, middle().replace('inv_', 'evt_'))],
  ['match scripts', () => findLeasedScripts(explained, 'BTC', scripts())],
  ['match outpoints', () => findSpenders(explained, 'BTC', [{ txid: 'ab'.repeat(32), vout: 0 }])],
  ['leases of scripts', () => explained.begin((tx) => loadScriptLeases(tx, 'BTC', scripts()))],
  ['due amounts', () => explained.begin((tx) => loadDueAmounts(tx, [1n, 2n, 100n]))],
  [
    'rivals',
    () =>
      explained.begin((tx) =>
        loadRivalPayments(tx, 'BTC', [{ mine: 'ab'.repeat(32), theirs: 'cd'.repeat(32) }]),
      ),
  ],
  ['first seen', () => explained.begin((tx) => loadFirstSeen(tx, 'BTC', ['ab'.repeat(32)]))],
  ['unsettled transactions', () => loadUnsettledTransactions(explained, 'BTC')],
  ['void what is gone', () => voidLongAbsent(explained, 'BTC', 100)],
  ['lock and read for a decision', () => explained.begin((tx) => lockUnsettledInvoices(tx, [1n, 2n, 100n]))],
  ['release leases', () => explained.begin((tx) => releaseLeases(tx, [1n, 2n, 100n]))],
  ['take deadlines', () => explained.begin((tx) => takePastDeadline(tx, 'BTC', 200))],
  ['take decisions', () => explained.begin((tx) => takeDueDecisions(tx, 'BTC', 200))],
  [
    'take deliveries',
    () => takeDueDeliveries(store, { limit: 100, leaseSeconds: 60, token: crypto.randomUUID() }),
  ],
  [
    'take deliveries beside a backlog',
    () =>
      takeDueDeliveries(store, {
        limit: 100,
        leaseSeconds: 60,
        token: crypto.randomUUID(),
        pulled: [String(merchant.projectId)],
      }),
  ],
  ['find pools', () => findPoolsToRefill(explained, 100)],
  ['fresh indexes', () => listFreshIndexes(explained, merchant.poolId, 'orders', 100)],
  ['forget keys', () => deleteOldIdempotencyKeys(store, 100)],
  ['unwatch leases', () => unwatchOldLeases(store, 100)],
  ['fold shards', () => foldShards(store, 100)],
  ['fold days', () => foldDays(store, 100)],
];

test.each(STATEMENTS)('%s reads its tables by index, and no more than it answers for', async (_name, run) => {
  plans = [];
  await run();
  expect(plans.length).toBeGreaterThan(0);
  for (const node of plans.flatMap(nodesOf)) {
    const table = node['Relation Name'];
    if (table === undefined || !GROWING.has(table)) continue;
    expect(node['Node Type'], table).not.toBe('Seq Scan');
    expect(rowsSeen(node), `${node['Node Type']} on ${table}`).toBeLessThan(MOST_ROWS);
  }
});

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsSeen(node: PlanNode): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return each * (node['Actual Loops'] ?? 1);
}

function scripts(): string[] {
  return Array.from({ length: 100 }, (_, i) => `0014${i.toString(16).padStart(40, '0')}`);
}

function order(orderId: string): NewInvoice {
  return {
    projectId: merchant.projectId,
    creator: { kind: 'api_key', apiKeyId: merchant.apiKeyId },
    type: 'order',
    currency: 'BTC',
    expectedAmount: 150_000n,
    confirmationsRequired: 1,
    orderId,
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    ttlSeconds: 3600,
    requestHash: new Uint8Array(32),
    idempotencyKey: `key-${orderId}`,
  };
}
