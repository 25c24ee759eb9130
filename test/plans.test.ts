import { startPostgres, startRedis, type Postgres, type Redis } from '@paywatch/dev/servers';
import { openChain, openMerchants, type Merchant } from '@paywatch/loadtests/merchants';
import { writeHistory } from '@paywatch/loadtests/invoice-history';
import { snapshotSettings } from '@paywatch/loadtests/snapshot-settings';
import { openStore, type Store } from '@paywatch/store';
import {
  byOperator,
  countSessions,
  countLimitedPools,
  listLimitedAccounts,
  readAddressUse,
  ANY_AUDIT_LINE,
  listAuditLines,
} from '@paywatch/store/accounts';
import {
  disconnectAbove,
  loadChainStatuses,
  loadUnscannedBlocks,
  acquireLeadership,
} from '@paywatch/store/chain';
import {
  insertOverlayDonation,
  listLatestDonations,
  loadDonationSummaries,
  loadLatestDonations,
  loadOverlayDonations,
  loadOverlayHeads,
  loadSummaryHeads,
  readGoal,
} from '@paywatch/store/donations';
import {
  ANY_INVOICE,
  extendInvoice,
  findDecision,
  findDonationLink,
  hasInvoice,
  invoiceCreation,
  listInvoices,
  loadInvoiceVersions,
  loadProjectSnapshot,
  loadSnapshotsById,
  loadSnapshotsByPublicId,
  lockInvoices,
  lockUnsettledInvoices,
  markCounted,
  queueDecisionAgain,
  queueDecisions,
  recheckDeadlines,
  claimDueDecisions,
  claimPastDeadline,
  updateInvoices,
  type InvoiceFilter,
  type InvoiceSearch,
  type NewInvoice,
  searchInvoices,
} from '@paywatch/store/invoices';
import {
  askForAgreement,
  findDescendants,
  findDerivedScripts,
  findPaidInvoices,
  findSpenders,
  insertInputs,
  loadHolderTerms,
  loadLostPegOuts,
  loadRecordedPayments,
  loadScriptAddresses,
  lockUnheldAddresses,
  assertSameLeases,
  findUnassignedPosition,
  listUnassignedPayments,
  loadFirstRecords,
  loadScriptLeases,
  loadUnsettledTransactions,
  markAbsent,
  markReturned,
  reconsiderUnagreed,
  claimOpenAgreements,
  upsertPayments,
  upsertTransactions,
  voidDescendants,
  voidLongAbsent,
  voidConflicting,
} from '@paywatch/store/payments';
import {
  addPoolAddresses,
  advanceLastUsed,
  checkPoolHealth,
  deleteIdlePools,
  findPoolIndex,
  findPoolsToCheck,
  findPoolsToRefill,
  findPoolsWithoutHistory,
  findPoolToExtend,
  findPromotable,
  listFreshIndexes,
  loadPoolStates,
  loadUnscannedAddresses,
  promoteDerived,
  readPoolFigures,
  releaseLeases,
  returnUnpaidAddresses,
  retirePaidAddresses,
  secondsUntilNextAddress,
} from '@paywatch/store/pools';
import { deleteOldIdempotencyKeys, migrate, type TransactionSql } from '@paywatch/store/postgres';
import { findOverview, listWalletOverviews } from '@paywatch/store/projects';
import { addToStats, foldDays, foldShards, readStats } from '@paywatch/store/stats';
import { grantPurchases, listPurchases, openPurchase } from '@paywatch/store/subscriptions';
import {
  claimDeliveries,
  claimNextDeliveries,
  countDueDeliveries,
  findEventPosition,
  findLeasedDeliveries,
  getEvent,
  insertEvents,
  beginRedeliveries,
  listEndpoints,
  listEvents,
  measureRelayLag,
  postponeDeliveries,
  recordAttempts,
  redeliverEvent,
  parkOrFailDelivery,
  leaseDueDeliveries,
} from '@paywatch/store/webhooks';
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
  'donor_totals',
  'due_decisions',
  'agreements',
  'subscription_purchases',
  'sessions',
  'audit_log',
]);
const INVOICES = 20_000;
/** Rows of one table that one statement may read: a few pages of a list, never a fraction of the table. */
const MOST_ROWS = 1500;

const SETTINGS = snapshotSettings('mainnet');

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
/** A connection whose statements are explained (EXPLAIN ANALYZE). */
let store: Store;
let explained: postgres.Sql<{ bigint: bigint }>;
let merchant: Merchant;
/** The key of a further endpoint that every event of the merchant went to. */
let furtherKey: bigint;
let publicIds: string[];
/** Sample of recorded payments. */
let txids: string[];
let scripts: string[];
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
  furtherKey = await addFurtherEndpoint(plain, merchant.projectId);
  await addDonors(plain, merchant.projectId);
  // A usual gap limit: counting a pool is bounded by it.
  for (const table of ['pools', 'wallets']) await plain.sql`update ${plain.sql(table)} set gap_limit = 600`;
  // The watchers do this every few minutes.
  for (const fold of [foldShards, foldDays]) while ((await fold(plain, 5000)) > 0);
  explained = postgres(server.url, {
    max: 2,
    types: { bigint: postgres.BigInt },
    onnotice: ({ message = '' }) => {
      const json = /plan:\n([^]*)/.exec(message)?.[1];
      if (json !== undefined) plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan);
    },
    // Settings of the store, and the log of every plan with the rows that it read.
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
  const payments = await explained<{ txid: string; script: string }[]>`
    select encode(txid, 'hex') as txid, encode(script, 'hex') as script from payments order by id limit 100`;
  txids = payments.map(({ txid }) => txid);
  scripts = payments.map(({ script }) => script);
});
afterAll(async () => {
  await store.close();
  await Promise.all([server.stop(), redis.stop()]);
});

const middle = () => publicIds[Math.floor(publicIds.length / 2)] ?? '';
const daysAgo = (days: number) => Date.now() - days * 86_400_000;

/** Each value of each filter alone, rare and frequent ones, and all filters together. */
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

const search = (what: () => InvoiceSearch) => () =>
  searchInvoices(store, merchant.projectId, what(), ANY_INVOICE, { limit: 50, after: null }, SETTINGS);

const paidAddresses = () =>
  [501, 502, 503].map((addressIndex) => ({ poolId: merchant.poolId, addressIndex }));
const seen = () => txids.map((txid) => ({ txid, firstSeenMs: Date.now(), mempoolMs: null }));
const taking = () => ({ token: crypto.randomUUID(), leaseSeconds: 60 });
const newPayment = () => ({
  txid: 'cd'.repeat(32),
  vout: 0,
  invoiceId: 1n,
  scriptHex: scripts[0] ?? '',
  amount: 5n,
  firstSeenMs: Date.now(),
  isPegOut: false,
  poolId: null,
  movedFrom: null,
});
const newSpend = () => ({
  txid: 'cd'.repeat(32),
  spends: [{ txid: 'ab'.repeat(32), vout: 0 }],
  outputs: [],
  mempoolTimeMs: null,
  isHogEx: false,
});
const someEvent = () => middle().replace('inv_', 'evt_');
const newEvent = () => ({
  publicId: 'evt_new',
  projectId: merchant.projectId,
  invoiceId: 1n,
  type: 'invoice.reversed',
  txid: null,
  body: '{}',
});
const attempt = () => ({
  deliveryId: 1n,
  claim: 1,
  url: 'https://shop.example/hook',
  startedAt: new Date(),
  durationMs: 5,
  httpStatus: 200,
  error: null,
  responseExcerpt: '',
  plan: { kind: 'delivered' as const },
});
const counted = () => ({
  projectId: merchant.projectId,
  poolId: merchant.poolId,
  currency: 'BTC' as const,
  from: 'new' as const,
  to: 'confirmed' as const,
  confirmed: 1,
  acceptedAmount: 5n,
  acceptedCount: 1,
});
const CHANGE = {
  id: 1n,
  status: 'confirmed',
  version: 9,
  isReversed: false,
  digestHex: 'ab',
  hasOutcome: true,
} as const;

/** All statements except those of the CLI, which count and read whole projects. */
const STATEMENTS: [name: string, run: () => Promise<unknown>][] = [
  ...FILTERS.map((filter): [string, () => Promise<unknown>] => [
    `list ${JSON.stringify(filter)}`,
    list(filter, null),
  ]),
  ...FILTERS.map((filter): [string, () => Promise<unknown>] => [
    `list ${JSON.stringify(filter)} from the middle`,
    () => list(filter, middle())(),
  ]),
  ['search a public id', search(() => ({ by: 'public_id', publicId: middle() }))],
  ['search a txid', search(() => ({ by: 'txid', txid: txids[0] ?? '' }))],
  ['search an address', search(() => ({ by: 'script', script: Buffer.from(scripts[0] ?? '', 'hex') }))],
  ['create', () => invoiceCreation(store, SETTINGS)(order('new-1'))],
  ['create again', () => invoiceCreation(store, SETTINGS)(order('past-100'))],
  ['read by public id', () => loadSnapshotsByPublicId(explained, [middle()], SETTINGS)],
  ['read by id', () => loadSnapshotsById(explained, [100n], SETTINGS)],
  ['read versions', () => loadInvoiceVersions(store, publicIds.slice(0, 100))],
  ['look for an invoice', () => hasInvoice(store, merchant.projectId, middle())],
  ['extend', () => extendInvoice(store, byOperator, merchant.projectId, middle(), SETTINGS)],
  ['statistics', () => readStats(store, merchant.projectId, 30)],
  ['donation link', () => findDonationLink(store, 'donate-1')],
  ['list events', () => listEvents(store, merchant.projectId, { limit: 51 })],
  [
    'list events of a type',
    () => listEvents(store, merchant.projectId, { limit: 51, type: 'invoice.expired' }),
  ],
  ['read an event', () => getEvent(store, merchant.projectId, someEvent())],
  ['match scripts', () => findDerivedScripts(explained, 'BTC', scripts)],
  ['match outpoints', () => findSpenders(explained, 'BTC', [{ txid: 'ab'.repeat(32), vout: 0 }])],
  ['leases of scripts', () => explained.begin((tx) => loadScriptLeases(tx, 'BTC', scripts))],
  ['addresses of scripts', () => explained.begin((tx) => loadScriptAddresses(tx, 'BTC', scripts))],
  ['lock addresses', () => explained.begin((tx) => lockUnheldAddresses(tx, 'BTC', scripts))],
  [
    'later leases',
    () =>
      explained.begin(async (tx) =>
        assertSameLeases(tx, 'BTC', scripts, await loadScriptLeases(tx, 'BTC', scripts)),
      ),
  ],
  ['list unassigned payments', () => listUnassignedPayments(store, merchant.projectId, { limit: 51 })],
  [
    'position of an unassigned payment',
    () => findUnassignedPosition(store, merchant.projectId, { txid: txids[0] ?? '', vout: 0 }),
  ],
  ['terms of holders', () => explained.begin((tx) => loadHolderTerms(tx, [1n, 2n, 100n]))],
  ['recorded payments', () => explained.begin((tx) => loadRecordedPayments(tx, 'BTC', txids))],
  ['lost peg-outs', () => explained.begin((tx) => loadLostPegOuts(tx, 'BTC', scripts))],
  ['first records', () => explained.begin((tx) => loadFirstRecords(tx, 'BTC', ['ab'.repeat(32)]))],
  ['descendants', () => findDescendants(explained, 'BTC', ['ab'.repeat(32)])],
  ['void descendants', () => explained.begin((tx) => voidDescendants(tx, 'BTC', ['ab'.repeat(32)]))],
  ['unsettled transactions', () => loadUnsettledTransactions(explained, 'BTC')],
  ['void what is gone', () => voidLongAbsent(explained, 'BTC', 100)],
  ['lock and read for a decision', () => explained.begin((tx) => lockUnsettledInvoices(tx, [1n, 2n, 100n]))],
  ['release leases', () => explained.begin((tx) => releaseLeases(tx, [1n, 2n, 100n]))],
  ['take deadlines', () => explained.begin((tx) => claimPastDeadline(tx, 'BTC', 200))],
  ['take decisions', () => explained.begin((tx) => claimDueDecisions(tx, 'BTC', 200))],
  [
    'take deliveries',
    () => leaseDueDeliveries(store, { limit: 100, leaseSeconds: 60, token: crypto.randomUUID() }),
  ],
  [
    'take deliveries beside a backlog',
    () =>
      leaseDueDeliveries(store, {
        limit: 100,
        leaseSeconds: 60,
        token: crypto.randomUUID(),
        pulled: [String(merchant.projectId)],
      }),
  ],
  ['find pools', () => findPoolsToRefill(explained, 100)],
  ['find a pool of an account', () => findPoolToExtend(explained, merchant.projectId)],
  ['count addresses of an account', () => readAddressUse(explained, merchant.projectId, 2000)],
  ['pools without a history', () => findPoolsWithoutHistory(explained, merchant.poolId)],
  ['pools at a limit', () => countLimitedPools(store)],
  ['accounts at a limit', () => listLimitedAccounts(store, 10)],
  ['addresses to promote', () => findPromotable(explained, 'BTC', [], 500)],
  ['promote', within((tx) => promoteDerived(tx, paidAddresses()))],
  ['addresses to ask about', () => loadUnscannedAddresses(explained, 'BTC', merchant.poolId, 500)],
  ['return addresses', within((tx) => returnUnpaidAddresses(tx, 'BTC', { from: 100, to: 101 }))],
  ['fresh indexes', () => listFreshIndexes(explained, merchant.poolId, 'orders', 100)],
  ['forget idle pools', () => deleteIdlePools(store, 100)],
  ['forget keys', () => deleteOldIdempotencyKeys(store, 100)],
  ['fold shards', () => foldShards(store, 100)],
  ['fold days', () => foldDays(store, 100)],
  ['read for the owner', () => loadProjectSnapshot(explained, merchant.projectId, middle(), SETTINGS)],
  [
    'list events of an invoice',
    () => listEvents(store, merchant.projectId, { limit: 51, invoicePublicId: middle() }),
  ],
  ['deliver an event again', () => redeliverEvent(store, byOperator, merchant.projectId, someEvent())],
  [
    'list events of a further endpoint',
    () => listEvents(store, merchant.projectId, { limit: 51, endpointKey: furtherKey }),
  ],
  [
    'list events of the first endpoint',
    () => listEvents(store, merchant.projectId, { limit: 51, endpointKey: merchant.projectId }),
  ],
  [
    'find the first event of a range',
    () =>
      beginRedeliveries(store, {
        projectId: merchant.projectId,
        since: new Date(daysAgo(100)),
        until: null,
        type: null,
        statuses: ['unsent'],
      }),
  ],
  ['list endpoints', () => listEndpoints(store, merchant.projectId)],
  [
    'claim the next deliveries of a further endpoint',
    () => claimNextDeliveries(store, [{ endpointKey: furtherKey, limit: 10 }], taking()),
  ],
  ['paid invoices', within((tx) => findPaidInvoices(tx, 'BTC', txids))],
  ['void rivals', within((tx) => voidConflicting(tx, 'BTC', txids))],
  ['mark absent', () => markAbsent(explained, 'BTC', txids)],
  ['mark returned', within((tx) => markReturned(tx, 'BTC', txids))],
  ['record transactions', within((tx) => upsertTransactions(tx, 'BTC', { kind: 'mempool' }, seen(), 1n))],
  ['record payments', within((tx) => upsertPayments(tx, 'BTC', [newPayment()]))],
  ['mark counted', within((tx) => markCounted(tx, [1n, 2n]))],
  ['write decisions', within((tx) => updateInvoices(tx, [CHANGE]))],
  ['resume deadlines', within((tx) => recheckDeadlines(tx, [1n, 2n]))],
  ['count', within((tx) => addToStats(tx, [counted()], 3))],
  ['retire addresses', within((tx) => retirePaidAddresses(tx, paidAddresses()))],
  ['move windows', within((tx) => advanceLastUsed(tx, paidAddresses()))],
  ['store addresses', () => addPoolAddresses(explained, merchant.poolId, [], 1)],
  ['find an index', () => findPoolIndex(store, merchant.poolId, Buffer.from(scripts[0] ?? '', 'hex'))],
  ['state of pools', () => loadPoolStates(explained, merchant.projectId, 3600)],
  ['health of a pool', () => checkPoolHealth(explained, merchant.poolId, 3600)],
  ['pools to look at', () => findPoolsToCheck(explained, { after: 0n, limit: 20 })],
  ['figures of pools', () => readPoolFigures(explained)],
  [
    'time of the next address',
    () =>
      secondsUntilNextAddress(explained, {
        projectId: merchant.projectId,
        currency: 'BTC',
        invoiceType: 'order',
        quarantineSeconds: 3600,
      }),
  ],
  ['state of chains', () => loadChainStatuses(store)],
  ['claim deliveries', () => claimDeliveries(store, [1n, 2n], taking())],
  [
    'claim the next deliveries',
    () => claimNextDeliveries(store, [{ endpointKey: merchant.projectId, limit: 10 }], taking()),
  ],
  ['find taken deliveries', () => findLeasedDeliveries(store, crypto.randomUUID())],
  ['lag of deliveries', () => measureRelayLag(store)],
  [
    'show a donation',
    within((tx) =>
      insertOverlayDonation(tx, {
        projectId: merchant.projectId,
        invoiceId: 10n,
        txid: txids[0] ?? '',
        amount: 5n,
      }),
    ),
  ],
  ['decision of an invoice', () => findDecision(explained, 100n)],
  ['queue a decision again', within((tx) => queueDecisionAgain(tx, middle()))],
  ['queue decisions', within((tx) => queueDecisions(tx, 'BTC', [1n, 2n, 100n]))],
  ['lock invoices', within((tx) => lockInvoices(tx, [1n, 2n, 100n]))],
  ['record inputs', within((tx) => insertInputs(tx, 'BTC', [newSpend()]))],
  [
    'disconnect a block',
    async () => {
      await acquireLeadership(store, 'BTC', 'leader');
      await disconnectAbove(store, 'BTC', 'leader', 799_999);
    },
  ],
  ['unscanned blocks', () => loadUnscannedBlocks(store, 'BTC', 100)],
  ['ask for agreement', within((tx) => askForAgreement(tx, 'BTC', [{ txid: txids[0] ?? '', depth: 3 }]))],
  ['open agreements', () => claimOpenAgreements(explained, 'BTC', { limit: 100, seconds: 5 })],
  [
    'reconsider what was not agreed',
    within((tx) => reconsiderUnagreed(tx, 'BTC', txids[0] ?? '', { isDropped: true })),
  ],
  ['write an event', within((tx) => insertEvents(tx, [newEvent()]))],
  ['position of an event', () => findEventPosition(store, merchant.projectId, someEvent())],
  ['count due deliveries', () => countDueDeliveries(store, merchant.projectId)],
  ['put deliveries back', () => postponeDeliveries(store, [{ id: 1n, delayMs: 5 }])],
  ['set a delivery aside', () => parkOrFailDelivery(store, { id: 1n, claim: 1 }, 'parked')],
  ['record attempts', () => recordAttempts(store, [attempt()])],
  ['overview of an account', () => findOverview(store, merchant.projectId)],
  ['sessions of an account', () => countSessions(store, 1n, 3600)],
  [
    'audit of an account',
    () =>
      listAuditLines(store, { accountId: 1n, projectId: merchant.projectId }, ANY_AUDIT_LINE, {
        limit: 50,
        after: null,
      }),
  ],
  [
    'audit of an action',
    () =>
      listAuditLines(
        store,
        { accountId: 1n, projectId: merchant.projectId },
        { action: 'webhook.set', fromMs: 0, toMs: 1 },
        { limit: 50, after: null },
      ),
  ],
  ['wallets', () => listWalletOverviews(store, merchant.projectId, 3600)],
  [
    'open a purchase',
    () =>
      openPurchase(store, byOperator, {
        projectId: merchant.projectId,
        currency: 'BTC',
        amount: 5n,
        days: 30,
        orderId: 'days-1',
      }),
  ],
  ['purchases of a project', () => listPurchases(store, { projectId: merchant.projectId, limit: 10 })],
  ['grant purchases', within((tx) => grantPurchases(tx, [1n, 2n], 'operator'))],
  ['heads of overlays', () => loadOverlayHeads(store, [merchant.projectId])],
  ['heads of summaries', () => loadSummaryHeads(store, [merchant.projectId])],
  ['summary of donations', () => loadDonationSummaries(store, [merchant.projectId])],
  ['goal of donations', () => readGoal(store, merchant.projectId)],
  ['latest donations', () => listLatestDonations(store, merchant.projectId, 5)],
  ['read donations', () => loadOverlayDonations(store, [{ projectId: merchant.projectId, after: 0n }], 100)],
  [
    'latest donations',
    () =>
      loadLatestDonations(store, [
        { projectId: merchant.projectId, minAmountBtc: 10n ** 15n, minAmountLtc: null },
      ]),
  ],
];

test.each(STATEMENTS)(
  '%s reads its tables by index, and no more rows than its result requires',
  async (_name, run) => {
    plans = [];
    await run();
    expect(plans.length).toBeGreaterThan(0);
    for (const node of plans.flatMap(nodesOf)) {
      const table = node['Relation Name'];
      if (table === undefined || !GROWING.has(table)) continue;
      expect(node['Node Type'], table).not.toBe('Seq Scan');
      expect(rowsSeen(node), `${node['Node Type']} on ${table}`).toBeLessThan(MOST_ROWS);
    }
  },
);

/** Adds a further endpoint that all events of a project were delivered to. Returns its key. */
async function addFurtherEndpoint({ sql }: Store, projectId: bigint): Promise<bigint> {
  const [endpoint] = await sql<{ id: bigint; key: bigint }[]>`
    insert into webhook_endpoints (further_project_id, url, secret_sealed)
    values (${projectId}, 'https://books.example/', '') returning id, key`;
  if (endpoint === undefined) throw new Error('an endpoint was inserted');
  await sql`
    insert into deliveries (further_event_id, endpoint_id, project_id, status, next_attempt_at)
    select id, ${endpoint.id}, project_id, 'delivered', null from events where project_id = ${projectId}`;
  await sql`analyze deliveries, webhook_endpoints`;
  return endpoint.key;
}

/** Runs a statement in a transaction that is rolled back. */
function within(run: (tx: TransactionSql) => Promise<unknown>): () => Promise<void> {
  const undone = new Error('rolled back');
  return () =>
    explained
      .begin(async (tx) => {
        await run(tx);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
}

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

/** Donors of a busy stream: each with a name of their own, and a goal that all of their donations count for. */
async function addDonors({ sql }: Store, projectId: bigint): Promise<void> {
  await sql`
    insert into donor_totals (project_id, period, since, donor, donor_name, btc_amount, ltc_amount)
    select ${projectId}, p.period, p.since, sha256(int4send(n)), 'Donor ' || n, n, ${INVOICES}::int - n
    from generate_series(1, ${INVOICES}::int) n,
      (values ('day', now()::date), ('week', date_trunc('week', now())::date), ('month', date_trunc('month', now())::date),
        ('all', '-infinity')) as p (period, since)`;
  await sql`
    insert into donation_days select ${projectId}, now()::date - n, 5, 5, 5 from generate_series(0, 400) n`;
  await sql`
    insert into overlay_donations (project_id, invoice_id, txid, public_id, currency, amount)
    select ${projectId}, n, int4send(n), 'inv_' || n, 'BTC', 5 from generate_series(1, ${INVOICES}::int) n`;
  await sql`
    insert into counted_donations select project_id, max(id) from overlay_donations where project_id = ${projectId} group by 1`;
  await sql`
    update projects set overlay_sources = '{"goal": {"title": "", "unit": "BTC", "target": "1", "since": null, "added": "0"}}'
    where id = ${projectId}`;
  await sql`analyze`;
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
