import { deriveReceiveAddress, parseWalletKey, type WalletKey } from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import { randomBase58 } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { byOperator } from '@paywatch/store/accounts';
import type { NewInvoice } from '@paywatch/store/invoices';
import { registerWallet, verifyWallet, type Wallet } from '@paywatch/store/pools';

/** The account of BIP 84's test vectors. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

/** A project whose wallet is verified, and whose pool waits to be filled. */
export type VerifiedPool = { poolId: bigint; projectId: bigint; donateToken: string };

type WalletOptions = { currency?: Currency; startIndex?: number; gapLimit?: number };

/** A project with a pool of its own, gap limit 20: the identity of the key is made up, the key is not. */
export async function openVerifiedPool(store: Store, options: WalletOptions = {}): Promise<VerifiedPool> {
  const { projectId, donateToken } = await openProject(store);
  return { poolId: await verifyNewWallet(store, projectId, options), projectId, donateToken };
}

/** A project with a subscription and without a wallet. */
export async function openProject(store: Store): Promise<{ projectId: bigint; donateToken: string }> {
  const donateToken = randomBase58(8);
  const [project] = await store.sql<{ id: bigint }[]>`
    with account as (insert into accounts (email, password_hash) values (${randomBase58(8)}, '-') returning id)
    insert into projects (account_id, donate_token, overlay_token, subscription_active_until)
    select id, ${donateToken}, ${randomBase58(8)}, now() + interval '1 day' from account returning id`;
  if (!project) throw new Error('an insert without a condition returns its row');
  return { projectId: project.id, donateToken };
}

/** Gives a project another wallet, in place of the previous one. Returns its pool. */
export async function verifyNewWallet(
  store: Store,
  projectId: bigint,
  { accountAddresses = 2000, ...options }: WalletOptions & { keyId?: string; accountAddresses?: number } = {},
): Promise<bigint> {
  const wallet = await registerNewWallet(store, projectId, options);
  const first = { addresses: [], accountAddresses };
  if (!(await verifyWallet(store, byOperator, projectId, wallet, first)))
    throw new Error(`wallet of pool ${wallet.poolId} was not verified`);
  return wallet.poolId;
}

/** Registers a wallet, with a random key id unless one is given. */
export async function registerNewWallet(
  store: Store,
  projectId: bigint,
  {
    currency = 'BTC',
    startIndex = 0,
    gapLimit = 20,
    keyId = randomBase58(16),
  }: WalletOptions & { keyId?: string } = {},
): Promise<Wallet> {
  const key = walletKey(currency);
  const { xpub, scriptType, branch, derivationPath } = key;
  return registerWallet(store, byOperator, {
    projectId,
    currency,
    keyId,
    xpub,
    scriptType,
    branch,
    derivationPath,
    verificationAddress: deriveReceiveAddress(key, 0).address,
    gapLimit,
    startIndex,
  });
}

/** What the leader of the chain does once it knows that nothing has paid the addresses of a pool. */
export async function openPool({ sql }: Pick<Store, 'sql'>, poolId: bigint): Promise<void> {
  await sql`
    update pool_addresses set state = 'free', history_asked = true where pool_id = ${poolId} and state = 'derived'`;
  await sql`update pools set history_checked_at = now() where id = ${poolId}`;
}

/** The key that all these pools of a currency derive from. */
export function walletKey(currency: Currency = 'BTC'): WalletKey {
  const parsed = parseWalletKey({ currency, xpub: ZPUB, scriptType: 'p2wpkh' }, 'regtest');
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

/** An invoice of the project: 1,000 satoshi, a quarter of an hour, one confirmation. */
export function invoiceAt(pool: VerifiedPool, type: NewInvoice['type'] = 'order'): NewInvoice {
  return {
    projectId: pool.projectId,
    creator: { kind: 'operator' },
    type,
    currency: 'BTC',
    expectedAmount: 1000n,
    confirmationsRequired: 1,
    orderId: null,
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    ttlSeconds: 900,
    requestHash: null,
    idempotencyKey: null,
  };
}
