import type { SeededRandom } from '@paywatch/dev/testing';
import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import {
  ANY_INVOICE,
  invoiceCreation,
  listInvoices,
  loadSnapshotsByPublicId,
  type CreateInvoice,
  type InvoiceFilter,
} from '@paywatch/store/invoices';
import { readStats } from '@paywatch/store/stats';
import { sweepDeadlines } from '@paywatch/watcher/settle-due';
import type { Merchant } from '../shared/merchants.ts';
import { snapshotSettings } from '../create-invoice/snapshot-settings.ts';

/** A database with invoices, and the arguments of the operations on it. */
export type GrowthSide = {
  store: Store;
  merchant: Merchant;
  create: CreateInvoice;
  publicIds: readonly string[];
};

/** An operation that is repeated on both sides. `measure` runs it once and returns its milliseconds. */
export type Operation = {
  name: string;
  measure: (side: GrowthSide, random: SeededRandom) => Promise<number>;
};

const SETTINGS = snapshotSettings('mainnet');

/** Prepares the side of a merchant, with a sample of about 1,000 public ids over its whole history. */
export async function openSide(store: Store, merchant: Merchant): Promise<GrowthSide> {
  const rows = await store.sql<{ public_id: string }[]>`
    select public_id from invoices i
    where project_id = ${merchant.projectId} and id % greatest(1, (select count(*) / 1000 from invoices)) = 0`;
  return {
    store,
    merchant,
    create: invoiceCreation(store, SETTINGS),
    publicIds: rows.map((row) => row.public_id),
  };
}

/** On both sides each filter matches more than a page. */
const FILTERS: Record<string, Partial<InvoiceFilter>> = {
  all: {},
  status: { status: 'confirmed' },
  type: { type: 'donation' },
  currency: { currency: 'BTC' },
  reversed: { isReversed: true },
  status_type: { status: 'expired', type: 'order' },
  created: { createdFromMs: daysAgo(300), createdToMs: daysAgo(200) },
  together: {
    status: 'confirmed',
    type: 'order',
    currency: 'BTC',
    isReversed: false,
    createdFromMs: daysAgo(300),
    createdToMs: daysAgo(200),
  },
};

function daysAgo(days: number): number {
  return Date.now() - days * 86_400_000;
}

const PAGE = 10;

/** The operations of daily use. Lists are read from their beginning and from the middle of the history. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'create', measure: measureCreate },
  {
    name: 'read',
    measure: ({ store, publicIds }, random) =>
      timed(() => loadSnapshotsByPublicId(store.sql, [random.pick(publicIds)], SETTINGS)),
  },
  ...Object.entries(FILTERS).map(([name, filter]) => listOperation(name, { ...ANY_INVOICE, ...filter })),
  {
    name: 'list_after',
    measure: ({ store, merchant, publicIds }) =>
      timed(() =>
        listInvoices(
          store,
          merchant.projectId,
          ANY_INVOICE,
          { limit: PAGE, after: publicIds[Math.floor(publicIds.length / 2)] ?? null },
          SETTINGS,
        ),
      ),
  },
  { name: 'stats', measure: ({ store, merchant }) => timed(() => readStats(store, merchant.projectId, 30)) },
  { name: 'sweep', measure: measureSweep },
];

function measureCreate(side: GrowthSide): Promise<number> {
  return timed(() => createOrder(side));
}

let orders = 0;

async function createOrder({ create, merchant }: GrowthSide): Promise<bigint> {
  orders += 1;
  const outcome = await create({
    projectId: merchant.projectId,
    creator: { kind: 'api_key', apiKeyId: merchant.apiKeyId },
    type: 'order',
    currency: 'BTC',
    expectedAmount: 150_000n,
    confirmationsRequired: 1,
    orderId: `order-${orders}`,
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    ttlSeconds: 3600,
    requestHash: new Uint8Array(32),
    idempotencyKey: `key-${orders}`,
  });
  if (outcome.kind !== 'created') throw new Error(`invoice not created: ${outcome.kind}`);
  return outcome.invoice.invoiceId;
}

function listOperation(name: string, filter: InvoiceFilter): Operation {
  return {
    name: `list_${name}`,
    measure: ({ store, merchant }) =>
      timed(async () => {
        const page = await listInvoices(
          store,
          merchant.projectId,
          filter,
          { limit: PAGE, after: null },
          SETTINGS,
        );
        if (page.length < PAGE) throw new Error(`the page of ${name} has only ${page.length} invoices`);
      }),
  };
}

/** Invoices whose deadline passes before each sweep. */
const SWEPT = 10;
const logger = createLogger({ service: 'bench', level: 'error' });

async function measureSweep(side: GrowthSide): Promise<number> {
  const { store } = side;
  const ids = await Promise.all(Array.from({ length: SWEPT }, () => createOrder(side)));
  await store.sql`
    update invoices set deadline_at = now() - interval '1 second' where id = any (${ids.map(String)}::bigint[])`;
  const { quarantineSeconds } = SETTINGS;
  const context = {
    store,
    settings: SETTINGS,
    logger,
    clock: systemClock,
    quarantineSeconds,
    accountAddresses: 2000,
  };
  return timed(async () => {
    const count = await sweepDeadlines(context, 'BTC');
    if (count !== SWEPT) throw new Error(`${count} invoices were swept instead of ${SWEPT}`);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
