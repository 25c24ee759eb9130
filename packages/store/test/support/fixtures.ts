import type { Currency } from '@paywatch/domain/values';
import { randomBytes } from 'node:crypto';
import type { CreationOutcome, NewInvoice } from '../../src/invoices/new-invoice.ts';
import { addPoolAddresses } from '../../src/pools/pool-refills.ts';
import type { Store } from '../../src/store.ts';

export type TestProject = { projectId: bigint; apiKeyId: bigint; donateToken: string };
export type TestWallet = { poolId: bigint; walletId: bigint };

/** A project with an active subscription and one API key. */
export async function createProject({ sql }: Pick<Store, 'sql'>): Promise<TestProject> {
  const name = randomBytes(6).toString('hex');
  const [project] = await sql<{ id: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash) values (${`${name}@example.org`}, 'none') returning id
    )
    insert into projects (account_id, name, donate_token, overlay_token, subscription_active_until)
    select id, 'Shop', ${`donate-${name}`}, ${`overlay-${name}`}, now() + interval '1 day' from account
    returning id`;
  const projectId = given(project).id;
  const [key] = await sql<{ id: bigint }[]>`
    insert into api_keys (project_id, key_public, secret_hash, scope)
    values (${projectId}, ${name}, ${randomBytes(32)}, 'full') returning id`;
  return { projectId, apiKeyId: given(key).id, donateToken: `donate-${name}` };
}

/** A verified wallet on an open pool of its own, with the addresses of its whole window (index 1 to gapLimit - 1). */
export async function createWallet(
  store: Pick<Store, 'sql'>,
  projectId: bigint,
  options: { currency?: Currency; gapLimit?: number } = {},
): Promise<TestWallet> {
  const { currency = 'BTC', gapLimit = 20 } = options;
  const [pool] = await store.sql<{ id: bigint }[]>`
    insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit)
    values (${currency}, ${randomBytes(8).toString('hex')}, 'xpub', 'p2wpkh', 0, ${projectId}, ${gapLimit})
    returning id`;
  const poolId = given(pool).id;
  await fillPool(store, poolId, gapLimit - 1);
  return { poolId, walletId: await joinPool(store, projectId, poolId, { currency, gapLimit }) };
}

/** Gives a project a verified wallet on a pool that is there already. */
export async function joinPool(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  poolId: bigint,
  options: { currency?: Currency; gapLimit?: number } = {},
): Promise<bigint> {
  const { currency = 'BTC', gapLimit = 20 } = options;
  const [wallet] = await sql<{ id: bigint }[]>`
    insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status)
    values (${projectId}, ${currency}, ${poolId}, 'p2wpkh', 'bc1-none', ${gapLimit}, 'verified') returning id`;
  return given(wallet).id;
}

/** Derives, as it were, the addresses 1 to `count`, and promotes them. */
async function fillPool(store: Pick<Store, 'sql'>, poolId: bigint, count: number): Promise<void> {
  const addresses = Array.from({ length: count }, (_, i) => ({
    index: i + 1,
    script: randomBytes(22),
    address: `address-${poolId}-${i + 1}`,
  }));
  await addPoolAddresses(store.sql, poolId, addresses, count + 1);
  await openPool(store, poolId);
}

/** What the leader of the chain does once it knows that nothing has paid the addresses. */
async function openPool({ sql }: Pick<Store, 'sql'>, poolId: bigint): Promise<void> {
  await sql`
    update pool_addresses set state = 'free', history_asked = true where pool_id = ${poolId} and state = 'derived'`;
  await sql`update pools set history_checked_at = now() where id = ${poolId}`;
}

/** A fresh view of a chain. */
export async function createChain(
  { sql }: Pick<Store, 'sql'>,
  currency: Currency = 'BTC',
  tipHeight = 100,
): Promise<void> {
  await sql`
    insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, mempool_read_at)
    values (${currency}, 'regtest', ${tipHeight}, ${randomBytes(32)}, now(), now() + interval '1 hour',
      now() + interval '1 hour')`;
}

/** An order as the API asks for it. */
export function orderOf(project: TestProject, overrides: Partial<NewInvoice> = {}): NewInvoice {
  return {
    projectId: project.projectId,
    creator: { kind: 'api_key', apiKeyId: project.apiKeyId },
    type: 'order',
    currency: 'BTC',
    expectedAmount: 150_000n,
    confirmationsRequired: 1,
    orderId: null,
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    ttlSeconds: 3600,
    requestHash: new Uint8Array(32),
    idempotencyKey: null,
    ...overrides,
  };
}

/** A donation as the public link asks for it. */
export function donationOf(project: TestProject, overrides: Partial<NewInvoice> = {}): NewInvoice {
  const creator = { kind: 'donation_link', donateToken: project.donateToken } as const;
  return orderOf(project, { creator, type: 'donation', expectedAmount: null, ...overrides });
}

/** The value, which the test has just made sure of. */
export function given<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('nothing was found');
  return value;
}

/** The invoice of an outcome that must be a new one. */
export function created(outcome: CreationOutcome) {
  if (outcome.kind !== 'created') throw new Error(`expected an invoice, got ${outcome.kind}`);
  return outcome.invoice;
}

/** The public id of the invoice that an outcome names. */
export function publicIdOf(outcome: CreationOutcome): string[] {
  return 'invoice' in outcome ? [outcome.invoice.publicId] : [];
}

/** How often each kind of outcome came. */
export function countKinds(outcomes: readonly CreationOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
