import { deriveReceiveAddress, parseWalletKey } from '@paywatch/domain/keys';
import { randomToken, sha256 } from '@paywatch/runtime/security';
import { byOperator, recoverAccount } from '@paywatch/store/accounts';
import { claimMail, MAX_MAILS, prepareMail, type MailKind } from '@paywatch/store/mails';
import { applyDueWalletChanges, cancelWalletChange } from '@paywatch/store/pools';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  openSession,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { followChain, openWallet } from '../support/wallet.ts';
import { BIP84 } from '../support/wallet-keys.ts';

const DELAY = 86_400;
const api = await sharedApi({
  env: {
    MAIL_URL: 'smtp://mail.example',
    MAIL_LINK_LIMIT_POINTS: '1000',
    WALLET_CHANGE_DELAY: String(DELAY),
  },
});

type Currency = 'BTC' | 'LTC';

/** A merchant whose Bitcoin wallet was paid today. */
async function openPaidMerchant(): Promise<TestAccount & { poolId: bigint }> {
  const account = await openAccount(api);
  const poolId = await openWallet(api, account);
  await pay(account, 0);
  return { ...account, poolId };
}

/** What the settlement of a confirmed payment writes, this many days ago. */
async function pay({ projectId }: TestAccount, daysAgo: number): Promise<void> {
  await api.store.sql`
    insert into project_stats (project_id, day, shard, confirmed)
    values (${projectId}, (now() at time zone 'UTC')::date - ${daysAgo}::int, 0, 1)`;
}

let branches = 7000;
/** Another branch of the same key is another wallet. */
function newKey(currency: Currency = 'BTC') {
  const derivation_path = `${BIP84.path}/${(branches += 1)}`;
  const body = { currency, xpub: BIP84.zpub, script_type: 'p2wpkh', derivation_path } as const;
  const parsed = parseWalletKey(
    { ...body, scriptType: 'p2wpkh', derivationPath: derivation_path },
    'mainnet',
  );
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return { body, address: deriveReceiveAddress(parsed.value, 0).address };
}

type Caller = { session: string } | { apiKey: string };

/** Registers and verifies another wallet. Returns the response of the verification. */
async function change(as: Caller, currency: Currency = 'BTC', key = newKey(currency)) {
  await api.call('post', '/v1/wallets', { ...as, body: key.body }).expect(201);
  const response = await api.call('post', `/v1/wallets/${currency}/verify`, {
    ...as,
    body: { address: key.address },
  });
  return { response, address: key.address };
}

/** The pool of the wallet that waits gets addresses that can be leased, as by a watcher that has read its history. */
async function openPendingPool({ projectId }: TestAccount): Promise<void> {
  await api.store.sql`
    update pool_addresses set state = 'free', history_asked = true
    where state = 'derived' and pool_id in (
      select pool_id from wallets where project_id = ${projectId} and status = 'pending')`;
}

/** Moves the moment of effect of what waits to now. */
async function letDelayPass({ projectId }: TestAccount): Promise<void> {
  await api.store
    .sql`update wallets set effective_at = now() where project_id = ${projectId} and status = 'pending'`;
}

async function projectOf({ session }: Pick<TestAccount, 'session'>) {
  const response = await api.call('get', '/v1/me', { session });
  expectAnswer(response, 'getMe', 200);
  return response.body.project;
}

/** Orders an invoice and returns the pool that its address is from. */
async function poolOfNextInvoice({ session, projectId }: TestAccount, currency: Currency = 'BTC') {
  const body = { currency, type: 'order', expected_amount: '150000' };
  await api.call('post', '/v1/invoices', { session, body }).expect(201);
  const [invoice] = await api.store.sql<{ poolId: bigint }[]>`
    select pool_id as "poolId" from invoices where project_id = ${projectId} order by id desc limit 1`;
  return invoice?.poolId;
}

async function mailsTo({ accountId }: TestAccount, kind: MailKind) {
  return api.store.sql<{ id: bigint; recipient: string; data: Record<string, string> }[]>`
    select id, recipient, data from mails where account_id = ${accountId} and kind = ${kind} order by id`;
}

/** Prepares the last announcement as the worker does; the token of its link, or null if it is not needed any more. */
async function cancelLink(account: TestAccount): Promise<string | null> {
  const mail = (await mailsTo(account, 'wallet_change_pending')).at(-1);
  if (!mail) throw new Error('no change was announced');
  const claimed = await claimMail(api.store, mail.id, 60);
  const token = randomToken(32);
  return (await prepareMail(api.store, claimed!, sha256(token))) === null ? null : token;
}

const cancelByLink = (token: string | null) =>
  api.call('post', '/v1/auth/cancel-wallet-changes', { body: { token } });
const cancel = (as: Caller, currency: Currency = 'BTC') =>
  api.call('post', `/v1/wallets/${currency}/cancel-change`, as);

describe('a wallet of a project', () => {
  it('that was never paid takes effect at once, in all currencies', async () => {
    const account = await openAccount(api);
    for (const currency of ['BTC', 'LTC'] as const) {
      const { response } = await change(account, currency);
      expectAnswer(response, 'verifyWallet', 200);
      expect(response.body).toMatchObject({ verified: true, serving: true });
      expect(Date.parse(response.body.effective_at)).toBeLessThanOrEqual(Date.now() + 1000);
    }
    expect(await mailsTo(account, 'wallet_change_pending')).toEqual([]);
  });

  it('that was paid 31 days ago takes effect at once, and 30 days ago it waits', async () => {
    const [before, within] = [await openAccount(api), await openAccount(api)];
    await pay(before, 31);
    await pay(within, 30);
    expect((await change(before)).response.body.serving).toBe(true);
    expect((await change(within)).response.body.serving).toBe(false);
  });

  it.each([
    ['a replacement', 'BTC'],
    ['a wallet of a further currency', 'LTC'],
  ] as const)('that was paid lately waits for the delay if it is %s', async (_, currency) => {
    const merchant = await openPaidMerchant();
    const { response, address } = await change(merchant, currency);
    expectAnswer(response, 'verifyWallet', 200);
    expect(response.body).toMatchObject({ verified: true, serving: false, verification_address: address });
    const waitMs = Date.parse(response.body.effective_at) - Date.now();
    expect(waitMs).toBeGreaterThan((DELAY - 60) * 1000);
    expect(waitMs).toBeLessThanOrEqual(DELAY * 1000);
    expect((await projectOf(merchant)).wallets).toMatchObject([
      { currency: 'BTC', verification_address: 'bc1q-0', serving: true },
      { currency, verification_address: address, verified: true, serving: false },
    ]);
    // Ready for the moment of effect: its first addresses are derived and will be read.
    expect(await derivedOfPending(merchant)).toBe(20);
  });

  it('also waits if an API key replaces it', async () => {
    const merchant = await openPaidMerchant();
    const apiKey = await openApiKey(api, merchant);
    expect((await change({ apiKey })).response.body.serving).toBe(false);
  });

  it('waits although the last payment becomes older than 30 days meanwhile', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    await openPendingPool(merchant);
    await api.store.sql`update project_stats set day = day - 40 where project_id = ${merchant.projectId}`;
    await applyDueWalletChanges(api.store, 100);
    expect((await projectOf(merchant)).wallets).toMatchObject([{ serving: true }, { serving: false }]);
  });

  it('waits if it was registered before the first payment and is verified after it', async () => {
    const account = await openAccount(api);
    await openWallet(api, account);
    const key = newKey();
    await api.call('post', '/v1/wallets', { session: account.session, body: key.body }).expect(201);
    await pay(account, 0);
    const response = await api.call('post', '/v1/wallets/BTC/verify', {
      session: account.session,
      body: { address: key.address },
    });
    expect(response.body).toMatchObject({ verified: true, serving: false });
  });

  it('answers the same again if it is verified twice', async () => {
    const merchant = await openPaidMerchant();
    const { response, address } = await change(merchant);
    const again = await api.call('post', '/v1/wallets/BTC/verify', {
      session: merchant.session,
      body: { address },
    });
    expectAnswer(again, 'verifyWallet', 200);
    expect(again.body).toEqual(response.body);
    expect(await mailsTo(merchant, 'wallet_change_pending')).toHaveLength(1);
  });
});

async function derivedOfPending({ projectId }: TestAccount): Promise<number> {
  const [row] = await api.store.sql<{ derived: number }[]>`
    select p.derived_count as derived from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} and w.status = 'pending'`;
  return row?.derived ?? 0;
}

describe('while a wallet waits', () => {
  it('the present one leases addresses, and after the delay the new one, without a moment between them', async () => {
    await followChain(api);
    const merchant = await openPaidMerchant();
    const { address } = await change(merchant);
    await openPendingPool(merchant);
    await applyDueWalletChanges(api.store, 100);
    expect(await poolOfNextInvoice(merchant)).toBe(merchant.poolId);

    await letDelayPass(merchant);
    expect(await poolOfNextInvoice(merchant)).toBe(merchant.poolId);
    await applyDueWalletChanges(api.store, 100);
    expect(await poolOfNextInvoice(merchant)).not.toBe(merchant.poolId);
    const project = await projectOf(merchant);
    expect(project.wallets).toMatchObject([{ verification_address: address, verified: true, serving: true }]);
    expect(project.wallet_changes.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
      'change_applied',
      'change_scheduled',
    ]);
    expect(await mailsTo(merchant, 'wallet_change_ended')).toMatchObject([
      { data: { outcome: 'applied', address } },
    ]);
  });

  it('the present one serves on after the delay, until the pool of the new one has an address to lease', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    await letDelayPass(merchant);
    await applyDueWalletChanges(api.store, 100);
    expect((await projectOf(merchant)).wallets).toMatchObject([{ serving: true }, { serving: false }]);
    await openPendingPool(merchant);
    await applyDueWalletChanges(api.store, 100);
    expect((await projectOf(merchant)).wallets).toMatchObject([{ serving: true }]);
  });

  it('a further currency is not offered, and orders in it are refused', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant, 'LTC');
    const body = { currency: 'LTC', type: 'order', expected_amount: '150000' };
    const refused = await api.call('post', '/v1/invoices', { session: merchant.session, body });
    expectProblem(refused, 422, 'wallet_not_verified');
    const link = await api.call('get', `/v1/public/donate/${merchant.donateToken}`);
    expect(link.body.currencies).toEqual(['BTC']);
  });

  it('another change of the currency takes its place and waits for the whole delay again', async () => {
    const merchant = await openPaidMerchant();
    const first = await change(merchant);
    await api.store.sql`
      update wallets set effective_at = now() + interval '1 minute'
      where project_id = ${merchant.projectId} and status = 'pending'`;
    const second = await change(merchant);
    expect(Date.parse(second.response.body.effective_at)).toBeGreaterThanOrEqual(
      Date.parse(first.response.body.effective_at),
    );
    expect((await projectOf(merchant)).wallets).toMatchObject([
      { serving: true },
      { serving: false, verification_address: second.address },
    ]);
  });

  it('the settings of the present wallet do not change if the new one has the same key', async () => {
    const merchant = await openPaidMerchant();
    const key = newKey();
    await change(merchant, 'BTC', key);
    await openPendingPool(merchant);
    await letDelayPass(merchant);
    await applyDueWalletChanges(api.store, 100);
    await change(merchant, 'BTC', {
      ...key,
      body: { ...key.body, gap_limit: 500, start_index: 900 } as never,
    });
    const pool = () => api.store.sql`
      select p.gap_limit, p.start_index from wallets w join pools p on p.id = w.pool_id
      where w.project_id = ${merchant.projectId} and w.status = 'verified'`;
    expect(await pool()).toMatchObject([{ gap_limit: 20, start_index: 0 }]);
    await letDelayPass(merchant);
    await applyDueWalletChanges(api.store, 100);
    expect(await pool()).toMatchObject([{ gap_limit: 500, start_index: 900 }]);
  });
});

describe('a pending change is cancelled', () => {
  it('with the link of the mail, once and without any other credential, and the present wallet serves on', async () => {
    await followChain(api);
    const merchant = await openPaidMerchant();
    const { address } = await change(merchant);
    const token = await cancelLink(merchant);
    const response = await cancelByLink(token);
    expectAnswer(response, 'cancelWalletChanges', 200);
    expect(response.body).toEqual({ cancelled: [{ currency: 'BTC', verification_address: address }] });
    expectProblem(await cancelByLink(token), 410, 'link_expired');
    await letDelayPass(merchant);
    await applyDueWalletChanges(api.store, 100);
    expect(await poolOfNextInvoice(merchant)).toBe(merchant.poolId);
    expect((await projectOf(merchant)).wallets).toHaveLength(1);
    expect(await mailsTo(merchant, 'wallet_change_ended')).toMatchObject([
      { data: { outcome: 'cancelled' } },
    ]);
  });

  it('by a session and by an API key that may change wallets, not by one that may not', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    const weak = await openApiKey(api, merchant, 'invoices');
    expectProblem(await cancel({ apiKey: weak }), 403, 'forbidden');
    const response = await cancel(merchant);
    expectAnswer(response, 'cancelWalletChange', 200);
    expectProblem(await cancel(merchant), 404, 'wallet_change_not_found');
    await change(merchant);
    expectAnswer(await cancel({ apiKey: await openApiKey(api, merchant) }), 'cancelWalletChange', 200);
  });

  it('of its own project only', async () => {
    const [merchant, stranger] = [await openPaidMerchant(), await openPaidMerchant()];
    await change(merchant);
    await change(stranger);
    const token = await cancelLink(stranger);
    expectProblem(await cancel({ session: stranger.session }, 'LTC'), 404, 'wallet_change_not_found');
    expectAnswer(await cancelByLink(token), 'cancelWalletChanges', 200);
    expect((await projectOf(merchant)).wallets).toMatchObject([{ serving: true }, { serving: false }]);
  });

  it('or takes effect, never both, if both happen at once', async () => {
    for (let round = 0; round < 12; round += 1) {
      const merchant = await openPaidMerchant();
      await change(merchant);
      await openPendingPool(merchant);
      await letDelayPass(merchant);
      const [cancelled, applied] = await Promise.all([
        cancelWalletChange(api.store, byOperator, merchant.projectId, { currency: 'BTC' }),
        applyDueWalletChanges(api.store, 100),
      ]);
      expect(cancelled.length + applied).toBe(1);
      const { wallets } = await projectOf(merchant);
      expect(wallets).toHaveLength(1);
      expect(wallets[0].verification_address === 'bc1q-0').toBe(cancelled.length === 1);
    }
  });

  it('with a link that came too late, the answer says that nothing was cancelled', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    const token = await cancelLink(merchant);
    await openPendingPool(merchant);
    await letDelayPass(merchant);
    await applyDueWalletChanges(api.store, 100);
    const response = await cancelByLink(token);
    expectAnswer(response, 'cancelWalletChanges', 200);
    expect(response.body).toEqual({ cancelled: [] });
  });
});

describe('the mail of a change', () => {
  it('goes to the owner although no notice is wanted, names the address and no key, and its link outlives the delay', async () => {
    const merchant = await openPaidMerchant();
    await api.store.sql`
      update accounts set email_verified_at = now(), muted_notices = '{wallet_changed}' where id = ${merchant.accountId}`;
    const { address } = await change(merchant);
    const [mail] = await mailsTo(merchant, 'wallet_change_pending');
    expect(mail).toMatchObject({ recipient: merchant.email, data: { currency: 'BTC', address } });
    expect(JSON.stringify(mail!.data)).not.toContain('pub');
    const token = await cancelLink(merchant);
    const [link] = await api.store.sql<{ hours: number }[]>`
      select extract(epoch from t.expires_at - w.effective_at)::int / 3600 as hours
      from email_tokens t, wallets w
      where t.token_hash = ${sha256(token!)} and w.project_id = ${merchant.projectId} and w.status = 'pending'`;
    expect(link!.hours).toBe(24);
  });

  it('is never missing: a change that could not be announced is refused and changes nothing', async () => {
    const merchant = await openPaidMerchant();
    for (let round = 0; round < MAX_MAILS.perHour; round += 1)
      expectAnswer((await change(merchant)).response, 'verifyWallet', 200);
    const before = (await projectOf(merchant)).wallets[1].verification_address;
    const { response } = await change(merchant);
    expectProblem(response, 429, 'rate_limited');
    const pending = (await projectOf(merchant)).wallets.filter(
      (wallet: { verified: boolean; serving: boolean }) => wallet.verified && !wallet.serving,
    );
    expect(pending).toMatchObject([{ verification_address: before }]);
    expectAnswer(await cancelByLink(await cancelLink(merchant)), 'cancelWalletChanges', 200);
  });

  it('is not sent once the change was cancelled', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    await cancel(merchant).expect(200);
    expect(await cancelLink(merchant)).toBeNull();
  });
});

describe('a thief with a stolen session', () => {
  it('replaces the wallet: the owner cancels from the mail, and no invoice ever had an address of the thief', async () => {
    await followChain(api);
    const merchant = await openPaidMerchant();
    await change(merchant);
    await openPendingPool(merchant);
    for (let round = 0; round < 5; round += 1)
      expect(await poolOfNextInvoice(merchant)).toBe(merchant.poolId);
    expectAnswer(await cancelByLink(await cancelLink(merchant)), 'cancelWalletChanges', 200);
    await letDelayPass(merchant);
    await applyDueWalletChanges(api.store, 100);
    expect(await poolOfNextInvoice(merchant)).toBe(merchant.poolId);
    const pools = await api.store
      .sql`select distinct pool_id from invoices where project_id = ${merchant.projectId}`;
    expect(pools).toEqual([{ pool_id: merchant.poolId }]);
  });

  it('adds a further currency as well: one link cancels both', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    await change(merchant, 'LTC');
    const response = await cancelByLink(await cancelLink(merchant));
    expect(response.body.cancelled).toHaveLength(2);
    expect((await projectOf(merchant)).wallets).toMatchObject([{ currency: 'BTC', serving: true }]);
  });

  it('cancels and registers again: each change waits for the whole delay and is mailed', async () => {
    const merchant = await openPaidMerchant();
    for (let round = 1; round <= 3; round += 1) {
      const { response } = await change(merchant);
      expect(Date.parse(response.body.effective_at) - Date.now()).toBeGreaterThan((DELAY - 60) * 1000);
      expect(await mailsTo(merchant, 'wallet_change_pending')).toHaveLength(round);
      await cancel(merchant).expect(200);
    }
  });

  it('shortens the delay first: the shortening waits for the old delay, and the link cancels it too', async () => {
    const merchant = await openPaidMerchant();
    await setDelay(merchant, 7 * DELAY).expect(200);
    const shortened = await setDelay(merchant, 0);
    expectAnswer(shortened, 'updateWalletChangeDelay', 200);
    expect(shortened.body.wallet_change_delay).toMatchObject({ seconds: 7 * DELAY, next_seconds: DELAY });
    const waitMs = Date.parse(shortened.body.wallet_change_delay.next_at) - Date.now();
    expect(waitMs).toBeGreaterThan((7 * DELAY - 60) * 1000);
    const { response } = await change(merchant);
    expect(Date.parse(response.body.effective_at) - Date.now()).toBeGreaterThan((7 * DELAY - 60) * 1000);
    const link = await cancelByLink(await cancelLink(merchant));
    expect(link.body.cancelled).toHaveLength(1);
    expect((await projectOf(merchant)).wallet_change_delay).toEqual({
      seconds: 7 * DELAY,
      minimum_seconds: DELAY,
      next_seconds: null,
      next_at: null,
    });
  });

  it('lengthens the delay: a change that waits takes effect no later, and can be cancelled as before', async () => {
    const merchant = await openPaidMerchant();
    const { response } = await change(merchant);
    await setDelay(merchant, 30 * DELAY).expect(200);
    const [, pending] = (await projectOf(merchant)).wallets;
    expect(pending.effective_at).toBe(response.body.effective_at);
    expectAnswer(await cancelByLink(await cancelLink(merchant)), 'cancelWalletChanges', 200);
  });

  it('changes the email first: the mail goes to the present address, and its link works after a change as well', async () => {
    const merchant = await openPaidMerchant();
    await api.store.sql`update accounts set email_verified_at = now() where id = ${merchant.accountId}`;
    await api.store.sql`
      insert into email_changes (account_id, new_email, new_confirmed_at, expires_at)
      values (${merchant.accountId}, ${`thief-${merchant.email}`}, now(), now() + interval '30 minutes')`;
    await change(merchant);
    const [mail] = await mailsTo(merchant, 'wallet_change_pending');
    expect(mail!.recipient).toBe(merchant.email);
    const token = await cancelLink(merchant);
    await api.store
      .sql`update accounts set email = ${`thief-${merchant.email}`} where id = ${merchant.accountId}`;
    expectAnswer(await cancelByLink(token), 'cancelWalletChanges', 200);
  });
});

const setDelay = ({ session }: Pick<TestAccount, 'session'>, seconds: number) =>
  api.call('patch', '/v1/project/wallet-change-delay', { session, body: { seconds } });

describe('the delay', () => {
  it('of the owner is refused beyond 30 days, and less than that of the deployment has no effect', async () => {
    const merchant = await openPaidMerchant();
    expectProblem(await setDelay(merchant, 30 * DELAY + 1), 422, 'validation_error');
    const response = await setDelay(merchant, 0);
    expect(response.body.wallet_change_delay).toMatchObject({ seconds: DELAY, next_seconds: null });
  });

  it('that was shortened holds after the old delay, and a longer one ends the shortening', async () => {
    const merchant = await openPaidMerchant();
    await setDelay(merchant, 4 * DELAY).expect(200);
    await setDelay(merchant, 2 * DELAY).expect(200);
    await api.store.sql`update projects set next_wallet_delay_at = now() where id = ${merchant.projectId}`;
    expect((await projectOf(merchant)).wallet_change_delay).toMatchObject({
      seconds: 2 * DELAY,
      next_seconds: null,
    });
    await setDelay(merchant, DELAY).expect(200);
    const longer = await setDelay(merchant, 3 * DELAY);
    expect(longer.body.wallet_change_delay).toMatchObject({ seconds: 3 * DELAY, next_seconds: null });
  });
});

describe('recovery', () => {
  it('by the operator cancels every pending change and shortening, and registrations', async () => {
    const merchant = await openPaidMerchant();
    await setDelay(merchant, 4 * DELAY).expect(200);
    await setDelay(merchant, 2 * DELAY).expect(200);
    await change(merchant);
    await change(merchant, 'LTC');
    await recoverAccount(api.store, merchant.accountId, 'new hash');
    const session = await openSession(api, merchant.accountId, 'new hash');
    const project = await projectOf({ session });
    expect(project.wallets).toMatchObject([{ currency: 'BTC', serving: true }]);
    expect(project.wallet_change_delay).toMatchObject({ seconds: 4 * DELAY, next_seconds: null });
  });

  it('by the first proof of the address cancels pending changes', async () => {
    const merchant = await openPaidMerchant();
    await change(merchant);
    await resetPassword(merchant);
    expect(await walletStates(merchant)).toEqual(['verified']);
  });

  it('of the password at a verified address ends the sessions only: the change waits on, no shorter', async () => {
    const merchant = await openPaidMerchant();
    await api.store.sql`update accounts set email_verified_at = now() where id = ${merchant.accountId}`;
    const { response } = await change(merchant);
    await resetPassword(merchant);
    expectProblem(await api.call('get', '/v1/me', { session: merchant.session }), 401, 'unauthorized');
    expect(await walletStates(merchant)).toEqual(['pending', 'verified']);
    const [row] = await api.store.sql<{ at: Date }[]>`
      select effective_at as at from wallets where project_id = ${merchant.projectId} and status = 'pending'`;
    expect(row!.at.toISOString()).toBe(response.body.effective_at);
  });
});

async function walletStates({ projectId }: TestAccount): Promise<string[]> {
  const rows = await api.store.sql<{ status: string }[]>`
    select status from wallets where project_id = ${projectId} order by status`;
  return rows.map(({ status }) => status);
}

/** Resets the password with the link of the mail. */
async function resetPassword(account: TestAccount): Promise<void> {
  await api.call('post', '/v1/auth/forgot-password', { body: { email: account.email } }).expect(200);
  const [mail] = await api.store.sql<{ id: bigint }[]>`
    select id from mails where kind = 'reset_password' and recipient = ${account.email} order by id desc limit 1`;
  const token = randomToken(32);
  await prepareMail(api.store, (await claimMail(api.store, mail!.id, 60))!, sha256(token));
  await api
    .call('post', '/v1/auth/reset-password', { body: { token, new_password: 'a new and long passphrase' } })
    .expect(200);
}
