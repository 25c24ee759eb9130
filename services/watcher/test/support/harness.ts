import type { ChainNode } from '@paywatch/dev/nodes';
import { createTestServers } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { createPayer, scriptOf, unownedAddress, type Payer } from '@paywatch/dev/wallet';
import type { Currency } from '@paywatch/domain/values';
import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { randomBase58 } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import { loadSnapshotsByPublicId, type StoredSnapshot } from '@paywatch/store/invoices';
import type { WatcherContext } from '../../src/context.ts';

const settings = {
  publicUrl: 'http://pay.test',
  toleranceBps: 0,
  networks: { BTC: 'regtest', LTC: 'regtest' },
} as const;

/** An invoice as a test asks for it. Times in seconds from now. */
export type Wanted = {
  currency: Currency;
  amount?: bigint;
  type?: 'order' | 'donation';
  confirmations?: number;
  expiresIn?: number;
  /** Leases this address, which no invoice holds now. */
  at?: TestAddress;
};

export type TestAddress = { address: string; script: Buffer };
export type TestInvoice = TestAddress & { publicId: string; id: bigint };

/** A store with one project and one pool for each currency, and invoices leased as the API would lease them. */
export type Harness = {
  context: WatcherContext;
  store: Store;
  projectId: bigint;
  /** Another process's view: its own connections to the same servers. */
  open(): WatcherContext;
  createInvoice(wanted: Wanted): Promise<TestInvoice>;
  /** A derived address that was never leased. */
  derive(currency: Currency): Promise<TestAddress>;
  /** What is recorded at the address and belongs to no invoice: amounts, oldest first. */
  unassignedAt(address: TestAddress): Promise<bigint[]>;
  /** Moves the deadline of an invoice to this many seconds from now. */
  moveDeadline(invoice: TestInvoice, seconds: number): Promise<void>;
  isPastDeadline(invoice: TestInvoice): Promise<boolean>;
  /** Moves the last complete read of the chain this many seconds into the past. */
  age(currency: Currency, seconds: number): Promise<void>;
  typesOf(invoice: TestInvoice): Promise<string[]>;
  /** The recorded state of each of these transactions. */
  statesOf(transactions: readonly { txid: string }[]): Promise<(string | undefined)[]>;
  /** Resolves once some statement waits for the lock of another one. */
  untilSomebodyWaits(): Promise<void>;
  /** Lets the time of the leader run out. */
  endLead(currency: Currency): Promise<void>;
  /** Deletes every Redis key of this harness. */
  flushRedis(): Promise<number>;
  /** Makes it so that no watcher ever followed the chain, and that nothing was seen on it. */
  forgetChain(currency: Currency): Promise<void>;
  /** Makes it so that every invoice ended before all that a reconciliation compares. */
  forgetOutcomes(): Promise<void>;
  read(invoice: TestInvoice): Promise<StoredSnapshot>;
  eventsOf(invoice: TestInvoice): Promise<{ type: string; body: { data: Record<string, unknown> } }[]>;
  close(): Promise<void>;
};

/** On the shared servers; `redisUrl` names another Redis, for tests that end it. */
export async function createHarness(own: { redisUrl?: string } = {}): Promise<Harness> {
  const servers = { ...(await createTestServers()), ...own };
  const opened: Store[] = [];
  const open = (): WatcherContext => {
    const store = openStore({
      ...servers,
      role: 'worker',
      applicationName: 'watcher-test',
      onRedisError: () => {},
    });
    opened.push(store);
    const logger = createLogger({ service: 'watcher', level: process.env['LOG_LEVEL'] ?? 'silent' });
    return { store, settings, logger, clock: systemClock, quarantineSeconds: 3600, accountAddresses: 2000 };
  };
  const context = open();
  const { store } = context;
  const projectId = await createProject(store);
  const pools = { BTC: await createPool(store, 'BTC'), LTC: await createPool(store, 'LTC') };
  const eventsOf: Harness['eventsOf'] = async ({ id }) => {
    const rows = await store.sql<{ type: string; body: string }[]>`
      select type, body from events where invoice_id = ${id} order by id`;
    return rows.map((row) => ({ type: row.type, body: JSON.parse(row.body) }));
  };
  return {
    context,
    store,
    projectId,
    open,
    createInvoice: (wanted) => createInvoice(store, projectId, pools[wanted.currency], wanted),
    derive: async (currency) => {
      const address = unownedAddress(currency);
      const script = Buffer.from(scriptOf(currency, address));
      await store.sql`
        insert into pool_addresses (pool_id, address_index, address_class, script, address)
        select ${pools[currency]}, coalesce(max(address_index), 0) + 1, 'any', ${script}, ${address}
        from pool_addresses where pool_id = ${pools[currency]}`;
      return { address, script };
    },
    ...invoiceControls(store),
    flushRedis: async () => {
      const keys = await store.redis.keys(`*${servers.redisPrefix}*`);
      return keys.length === 0 ? 0 : store.redis.del(...keys);
    },
    ...chainControls(store),
    read: async ({ publicId }) => {
      const [snapshot] = await loadSnapshotsByPublicId(store.sql, [publicId], settings);
      if (!snapshot) throw new Error(`no invoice ${publicId}`);
      return snapshot;
    },
    eventsOf,
    typesOf: async (invoice) => (await eventsOf(invoice)).map((event) => event.type),
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await servers.close();
    },
  };
}

function invoiceControls(
  store: Store,
): Pick<Harness, 'unassignedAt' | 'moveDeadline' | 'isPastDeadline' | 'statesOf' | 'untilSomebodyWaits'> {
  return {
    unassignedAt: async ({ script }) => {
      const rows = await store.sql<{ amount: bigint }[]>`
        select amount from payments where script = ${script} and invoice_id is null order by id`;
      return rows.map(({ amount }) => amount);
    },
    moveDeadline: async ({ id }, seconds) => {
      await store.sql`update invoices set deadline_at = now() + make_interval(secs => ${seconds}) where id = ${id}`;
    },
    isPastDeadline: async ({ id }) => {
      const [row] = await store.sql<{ isPast: boolean }[]>`
        select deadline_at < now() as "isPast" from invoices where id = ${id}`;
      return row?.isPast === true;
    },
    statesOf: async (transactions) => {
      const rows = await store.sql<{ txid: string; state: string }[]>`
        select encode(txid, 'hex') as txid, state from transactions`;
      return transactions.map(({ txid }) => rows.find((row) => row.txid === txid)?.state);
    },
    untilSomebodyWaits: async () => {
      await waitUntil(
        async () => {
          const waiting = await store.sql`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          return waiting.length > 0;
        },
        { what: 'a statement that waits' },
      );
    },
  };
}

function chainControls(store: Store): Pick<Harness, 'endLead' | 'forgetChain' | 'forgetOutcomes' | 'age'> {
  return {
    endLead: async (currency) => {
      await store.sql`update chains set leader_until = now() - interval '1 second' where currency = ${currency}`;
    },
    forgetChain: async (currency) => {
      const { sql } = store;
      await sql`delete from chains where currency = ${currency}`;
      await sql`delete from chain_blocks where currency = ${currency}`;
      await sql`delete from disconnected_blocks where currency = ${currency}`;
      await sql`delete from payments where currency = ${currency}`;
      await sql`delete from transactions where currency = ${currency}`;
      await sql`delete from transaction_inputs where currency = ${currency}`;
      await sql`delete from due_decisions where currency = ${currency}`;
    },
    forgetOutcomes: async () => {
      await store.sql`update invoices set outcome_at = now() - interval '90 days'`;
    },
    age: async (currency, seconds) => {
      await store.sql`
        update chains set checked_at = now() - make_interval(secs => ${seconds}),
          mempool_read_at = now() - make_interval(secs => ${seconds})
        where currency = ${currency}`;
    },
  };
}

async function createProject(store: Store): Promise<bigint> {
  const name = randomBase58(8);
  const [row] = await store.sql<{ id: bigint }[]>`
    with account as (insert into accounts (email, password_hash) values (${`${name}@example.test`}, '-') returning id)
    insert into projects (account_id, donate_token, overlay_token)
    select id, ${`d${name}`}, ${`o${name}`} from account returning id`;
  return row!.id;
}

async function createPool(store: Store, currency: Currency): Promise<bigint> {
  const [row] = await store.sql<{ id: bigint }[]>`
    insert into pools (currency, key_id, xpub, script_type, branch, gap_limit)
    values (${currency}, ${randomBase58(8)}, '-', 'p2wpkh', 0, 1000) returning id`;
  return row!.id;
}

async function createInvoice(
  store: Store,
  projectId: bigint,
  poolId: bigint,
  { currency, amount, type = 'order', confirmations = 1, expiresIn = 3600, at }: Wanted,
): Promise<TestInvoice> {
  const address = at?.address ?? unownedAddress(currency);
  const script = Buffer.from(scriptOf(currency, address));
  const publicId = `inv_${randomBase58(16)}`;
  const [row] = await store.sql<{ id: bigint }[]>`
    with fresh as (
      insert into pool_addresses (pool_id, address_index, address_class, script, address, state, lease_count)
      select ${poolId}, coalesce(max(address_index), 0) + 1, 'any', ${script}, ${address}, 'leased', 1
      from pool_addresses where pool_id = ${poolId} and ${at === undefined}
      having ${at === undefined}
      returning address_index
    ), again as (
      update pool_addresses set state = 'leased', released_at = null, lease_count = lease_count + 1
      where pool_id = ${poolId} and script = ${script} and state = 'free'
      returning address_index
    ), place as (
      select * from fresh union all select * from again
    ), invoice as (
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script,
        address_reused, expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
      select ${publicId}, ${projectId}, ${type}, ${currency}, ${poolId}, address_index, ${address}, ${script}, false,
        ${amount ?? null}::bigint, ${confirmations}, ${expiresIn}, now() + make_interval(secs => ${expiresIn}),
        now() + make_interval(secs => ${expiresIn + 120})
      from place returning id, address_index
    )
    insert into address_leases (
      currency, script, pool_id, address_index, invoice_id, read_counter, tip_height, tip_hash)
    select ${currency}, ${script}, ${poolId}, address_index, id, c.read_counter, c.tip_height, c.tip_hash
    from invoice left join chains c on c.currency = ${currency}
    returning invoice_id as id`;
  return { publicId, id: row!.id, address, script };
}

/** A node with a payer who has coins. */
export async function fundedPayer(node: ChainNode): Promise<Payer> {
  const payer = createPayer(node);
  await payer.fund();
  return payer;
}
