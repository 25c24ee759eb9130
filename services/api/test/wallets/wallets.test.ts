import {
  deriveReceiveAddress,
  deriveReceiveAddresses,
  parseWalletKey,
  type WalletKey,
} from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import { POOLS_CHANNEL } from '@paywatch/store/pools';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  startApi,
  type TestAccount,
} from '../support/api.ts';
import { BIP84, LTUB, MTUB, XPRV, XPUB, YPUB } from '../support/wallet-keys.ts';

const api = await sharedApi();

type Merchant = TestAccount & { apiKey: string };
async function openMerchant(): Promise<Merchant> {
  const account = await openAccount(api);
  return { ...account, apiKey: await openApiKey(api, account) };
}

const register = ({ apiKey }: Merchant, body: object) => api.call('post', '/v1/wallets', { apiKey, body });
const verify = ({ apiKey }: Merchant, address: string, currency = 'BTC') =>
  api.call('post', `/v1/wallets/${currency}/verify`, { apiKey, body: { address } });
const bip84 = (rest: object = {}) => ({ currency: 'BTC', xpub: BIP84.zpub, ...rest });

/** Another branch of the same key is another wallet: one for each test that must not share a pool. */
let branches = 100;
const freshPath = () => `${BIP84.path}/${(branches += 1)}`;

function keyOf(body: { currency?: Currency; xpub?: string; derivation_path?: string }): WalletKey {
  const { currency = 'BTC', xpub = BIP84.zpub, derivation_path: derivationPath } = body;
  const parsed = parseWalletKey({ currency, xpub, derivationPath }, 'mainnet');
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}
const addressOf = (path: string, index: number) =>
  deriveReceiveAddress(keyOf({ derivation_path: path }), index).address;

async function walletsOf({ session }: Merchant) {
  const { body } = await api.call('get', '/v1/me', { session }).expect(200);
  return body.project.wallets;
}

async function poolOf({ projectId }: Merchant) {
  const [pool] = await api.store.sql`
    select p.* from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} and w.status <> 'replaced' order by w.id desc limit 1`;
  return pool;
}

describe('registering a wallet', () => {
  it('returns the address at index 0, the effective settings and what to do in the wallet software', async () => {
    const response = await register(await openMerchant(), bip84({ derivation_path: 'm/84h/0h/0h' }));
    expectAnswer(response, 'createWallet', 201);
    expect(response.body).toMatchObject({
      currency: 'BTC',
      script_type: 'p2wpkh',
      derivation_path: BIP84.path,
      verified: false,
      verification_address: BIP84.receive[0],
      next_index: 1,
      gap_limit: 20,
    });
    expect(response.body.notice).toContain('at least 20');
  });

  it.each([
    ['zpub', { xpub: BIP84.zpub }, 'p2wpkh'],
    ['ypub', { xpub: YPUB }, 'p2sh_p2wpkh'],
    ['xpub without more', { xpub: XPUB }, 'p2pkh'],
    ['xpub with the purpose 84', { xpub: XPUB, derivation_path: "m/84'/0'/0'" }, 'p2wpkh'],
    ['xpub with a script type', { xpub: XPUB, script_type: 'p2sh_p2wpkh' }, 'p2sh_p2wpkh'],
    ['Ltub', { currency: 'LTC', xpub: LTUB }, 'p2pkh'],
    ['Mtub', { currency: 'LTC', xpub: MTUB }, 'p2sh_p2wpkh'],
  ])('reads the script type of %s', async (_, body, scriptType) => {
    const response = await register(await openMerchant(), bip84(body));
    expectAnswer(response, 'createWallet', 201);
    expect(response.body.script_type).toBe(scriptType);
  });

  it.each([
    ['a prefix that contradicts script_type', bip84({ script_type: 'p2pkh' }), 'body.script_type'],
    ['a Litecoin key for BTC', bip84({ xpub: LTUB }), 'body.xpub'],
    ['a private key', bip84({ xpub: XPRV }), 'body.xpub'],
    ['a seed phrase', bip84({ xpub: 'abandon '.repeat(11) + 'about' }), 'body.xpub'],
    ['a mistyped key', bip84({ xpub: `${BIP84.zpub.slice(0, -1)}t` }), 'body.xpub'],
    ['a path that cannot be derived', bip84({ derivation_path: "m/84'/0/0'" }), 'body.derivation_path'],
    ['a currency that it does not know', bip84({ currency: 'DOGE' }), 'body.currency'],
    ['a gap limit of 0', bip84({ gap_limit: 0 }), 'body.gap_limit'],
    ['a gap limit above 100,000', bip84({ gap_limit: 100_001 }), 'body.gap_limit'],
    ['a start index that is negative', bip84({ start_index: -1 }), 'body.start_index'],
    ['no key', { currency: 'BTC' }, 'body.xpub'],
  ])('refuses %s and names the field', async (_, body, path) => {
    const response = await register(await openMerchant(), body);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe(path);
  });

  it('refuses a private key in any field without echoing, logging or storing it', async () => {
    const merchant = await openMerchant();
    for (const body of [
      bip84({ xpub: XPRV }),
      bip84({ derivation_path: XPRV }),
      { [XPRV]: 1 },
      bip84({ xpub: { XPRV } }),
    ]) {
      const response = await register(merchant, body);
      expectProblem(response, 422, 'validation_error');
      expect(response.text).not.toContain(XPRV.slice(0, 20));
    }
    expect(api.logLines.join('')).not.toContain(XPRV.slice(4, 24));
    const rows = await api.store.sql`select row_to_json(a)::text as line from audit_log a`;
    expect(JSON.stringify(rows)).not.toContain(XPRV.slice(4, 24));
  });

  it('refuses a currency that this deployment does not offer', async () => {
    const btcOnly = await startApi({ beside: api, env: { LTC_NODE_URL: '' } });
    const { apiKey } = await openMerchant();
    const response = await btcOnly.call('post', '/v1/wallets', {
      apiKey,
      body: { currency: 'LTC', xpub: LTUB },
    });
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('body.currency');
    await btcOnly.close();
  });

  it('replaces a registration that was not verified', async () => {
    const merchant = await openMerchant();
    await register(merchant, bip84({ derivation_path: freshPath() }));
    const path = freshPath();
    await register(merchant, bip84({ derivation_path: path }));
    expect(await walletsOf(merchant)).toMatchObject([{ derivation_path: path, verified: false }]);
  });

  it('accepts one of many concurrent registrations', async () => {
    const merchant = await openMerchant();
    const bodies = Array.from({ length: 8 }, () => bip84({ derivation_path: freshPath() }));
    const responses = await Promise.all(bodies.map((body) => register(merchant, body)));
    for (const response of responses) expectAnswer(response, 'createWallet', 201);
    expect(await walletsOf(merchant)).toHaveLength(1);
  });

  it('gives two projects that register one key in any notation the same pool', async () => {
    const derivation_path = freshPath();
    const [one, two] = [await openMerchant(), await openMerchant()];
    await Promise.all([
      register(one, bip84({ derivation_path })),
      register(two, bip84({ derivation_path: derivation_path.replaceAll("'", 'h') })),
    ]);
    expect((await poolOf(one))?.['id']).toBe((await poolOf(two))?.['id']);
  });
});

async function registered(rest: object = {}): Promise<{ merchant: Merchant; path: string }> {
  const merchant = await openMerchant();
  const path = freshPath();
  expectAnswer(await register(merchant, bip84({ derivation_path: path, ...rest })), 'createWallet', 201);
  return { merchant, path };
}

describe('verifying a wallet', () => {
  it('accepts the address at index 0 and activates the wallet', async () => {
    const { merchant, path } = await registered();
    const response = await verify(merchant, addressOf(path, 0));
    expectAnswer(response, 'verifyWallet', 200);
    expect(response.body.verified).toBe(true);
    expect(await walletsOf(merchant)).toMatchObject([{ verified: true, derivation_path: path }]);
  });

  it.each([1, 20, 21])('accepts the receive address at index %i, up to 20 past next_index', async (index) => {
    const { merchant, path } = await registered();
    expectAnswer(await verify(merchant, addressOf(path, index)), 'verifyWallet', 200);
  });

  it('refuses the address 21 past next_index', async () => {
    const { merchant, path } = await registered();
    expectProblem(await verify(merchant, addressOf(path, 22)), 422, 'address_mismatch');
  });

  it.each([0, 5, 4990, 5000, 5020])('accepts index %i of a wallet that starts at 5000', async (index) => {
    const { merchant, path } = await registered({ start_index: 5000 });
    expectAnswer(await verify(merchant, addressOf(path, index)), 'verifyWallet', 200);
  });

  it('accepts a litecoin P2SH address with either version byte', async () => {
    const [one, two] = [await openMerchant(), await openMerchant()];
    const body = { currency: 'LTC', xpub: MTUB };
    const { verification_address: modern } = (await register(one, body)).body;
    expect(modern).toMatch(/^M/);
    expectAnswer(await verify(one, modern, 'LTC'), 'verifyWallet', 200);
    await register(two, body);
    expectAnswer(await verify(two, withBitcoinVersion(), 'LTC'), 'verifyWallet', 200);
  });

  it('costs the main thread less CPU than the derivation of the first addresses', async () => {
    const wallets = await Promise.all(Array.from({ length: 5 }, () => registered()));
    const shares: number[] = [];
    for (const { merchant, path } of wallets) {
      const address = addressOf(path, 0);
      const key = keyOf({ derivation_path: path });
      const derivation = await mainThreadCpu(async () => deriveReceiveAddresses(key, 1, 20));
      const verification = await mainThreadCpu(() => verify(merchant, address));
      shares.push(verification / derivation);
    }
    expect(median(shares)).toBeLessThan(1);
  });

  it('again is 200 and changes nothing', async () => {
    const { merchant, path } = await registered();
    const first = await verify(merchant, addressOf(path, 0));
    const again = await verify(merchant, addressOf(path, 1));
    expectAnswer(again, 'verifyWallet', 200);
    expect(again.body).toEqual(first.body);
    const { body } = await api.call('get', '/v1/me', { session: merchant.session });
    expect(body.project.wallet_changes.map((change: { action: string }) => change.action)).toEqual([
      'verified',
      'registered',
    ]);
  });

  it('names the script type under which an address belongs to the key', async () => {
    const merchant = await openMerchant();
    await register(merchant, bip84({ xpub: XPUB }));
    const segwit = keyOf({ xpub: XPUB, derivation_path: "m/84'/0'/0'" });
    const response = await verify(merchant, deriveReceiveAddress(segwit, 3).address);
    expectProblem(response, 422, 'address_mismatch');
    expect(response.body.detail).toContain('at index 3, but as p2wpkh');
  });

  it('reports an address of the change branch as such', async () => {
    const merchant = await openMerchant();
    await register(merchant, bip84());
    const response = await verify(merchant, BIP84.change);
    expectProblem(response, 422, 'address_mismatch');
    expect(response.body.detail).toContain('at index 0 of branch 1');
  });

  it.each([
    ['of nobody', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 422, 'address_mismatch'],
    ['with a wrong checksum', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv', 422, 'validation_error'],
    ['of a test network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 422, 'validation_error'],
    ['of another currency', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 422, 'validation_error'],
    ['that is none', 'nonsense', 422, 'validation_error'],
  ])('refuses an address %s', async (_, address, status, code) => {
    const { merchant } = await registered();
    expectProblem(await verify(merchant, address), status, code);
  });

  it('answers wallet_not_found if the currency has no wallet', async () => {
    expectProblem(await verify(await openMerchant(), BIP84.receive[0]), 404, 'wallet_not_found');
    const { merchant } = await registered();
    expectProblem(
      await verify(merchant, 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'LTC'),
      404,
      'wallet_not_found',
    );
  });

  it('refuses an unknown currency', async () => {
    expectProblem(await verify(await openMerchant(), BIP84.receive[0], 'DOGE'), 422, 'validation_error');
  });

  it('keeps the old wallet active until the new one is verified, then replaces it, and shows both changes', async () => {
    const { merchant, path: old } = await registered();
    await verify(merchant, addressOf(old, 0));
    const path = freshPath();
    await register(merchant, bip84({ derivation_path: path }));
    expect(await walletsOf(merchant)).toMatchObject([
      { derivation_path: old, verified: true },
      { derivation_path: path, verified: false },
    ]);
    expectProblem(await verify(merchant, addressOf(old, 0)), 422, 'address_mismatch');
    expectAnswer(await verify(merchant, addressOf(path, 0)), 'verifyWallet', 200);
    expect(await walletsOf(merchant)).toMatchObject([{ derivation_path: path, verified: true }]);
    const { body } = await api.call('get', '/v1/me', { session: merchant.session });
    const [, keyPublic] = merchant.apiKey.split('_');
    expect(body.project.wallet_changes.slice(0, 3)).toMatchObject([
      { action: 'verified', verification_address: addressOf(path, 0), actor: keyPublic, currency: 'BTC' },
      { action: 'replaced', verification_address: addressOf(old, 0) },
      { action: 'registered', verification_address: addressOf(path, 0) },
    ]);
  });

  it('requests the derivation of addresses with the id of the pool, at commit', async () => {
    const { merchant, path } = await registered();
    const received: string[] = [];
    const { unlisten } = await api.store.sql.listen(POOLS_CHANNEL, (payload) => received.push(payload));
    await verify(merchant, addressOf(path, 0));
    const pool = await poolOf(merchant);
    await expect.poll(() => received).toContain(String(pool?.['id']));
    await unlisten();
  });
});

const changeGapLimit = ({ session }: Merchant, gapLimit: number) =>
  api.call('patch', '/v1/wallets/BTC', { session, body: { gap_limit: gapLimit } });

describe('changing the gap limit', () => {
  it('raises and lowers it, and lists each change with who made it', async () => {
    const { merchant, path } = await registered();
    await verify(merchant, addressOf(path, 0));
    for (const gapLimit of [35, 10]) {
      const response = await changeGapLimit(merchant, gapLimit);
      expectAnswer(response, 'updateWallet', 200);
      expect(response.body.gap_limit).toBe(gapLimit);
      expect(response.body.notice).toContain(`at least ${gapLimit} `);
    }
    const { body } = await api.call('get', '/v1/me', { session: merchant.session });
    expect(body.project.wallets).toMatchObject([{ gap_limit: 10 }]);
    expect(body.project.wallet_changes.slice(0, 2)).toMatchObject([
      { action: 'gap_limit_changed', gap_limit: 10, actor: 'session' },
      { action: 'gap_limit_changed', gap_limit: 35, actor: 'session' },
    ]);
  });

  it('answers wallet_not_found until a wallet is verified', async () => {
    const { merchant } = await registered();
    expectProblem(await changeGapLimit(merchant, 35), 404, 'wallet_not_found');
  });

  it('changes the wallet that is active, not one that waits for its verification', async () => {
    const { merchant, path } = await registered();
    await verify(merchant, addressOf(path, 0));
    await register(merchant, bip84({ derivation_path: freshPath() }));
    const response = await changeGapLimit(merchant, 35);
    expect(response.body).toMatchObject({ derivation_path: path, verified: true, gap_limit: 35 });
  });
});

describe('a shared pool', () => {
  it('is hidden from a project that has not verified its key', async () => {
    const [owner, stranger] = [await openMerchant(), await openMerchant()];
    const derivation_path = freshPath();
    await register(owner, bip84({ derivation_path, gap_limit: 7 }));
    await verify(owner, addressOf(derivation_path, 0));
    const { id } = (await poolOf(owner)) ?? {};
    await api.store.sql`update pools set next_index = 6 where id = ${String(id)}`;
    const answer = await register(stranger, bip84({ derivation_path, gap_limit: 50 }));
    expect(answer.body).toMatchObject({ next_index: 1, gap_limit: 50 });
    const me = await api.call('get', '/v1/me', { session: stranger.session });
    expect(me.body.project.wallets).toMatchObject([
      { next_index: 1, gap_limit: 50, addresses: { free: 0, leased: 0, quarantined: 0, limited: false } },
    ]);
    expect((await verify(stranger, addressOf(derivation_path, 0))).body).toMatchObject({
      next_index: 6,
      gap_limit: 7,
    });
  });

  it('gets only its first twenty addresses if the limit of its account is reached, and its owner sees that', async () => {
    const owner = await openMerchant();
    const derivation_path = freshPath();
    await register(owner, bip84({ derivation_path, gap_limit: 100_000 }));
    await api.store.sql`update projects set address_limit = 5 where id = ${owner.projectId}`;
    expect((await verify(owner, addressOf(derivation_path, 0))).body).toMatchObject({ gap_limit: 100_000 });
    expect(await poolOf(owner)).toMatchObject({ derived_until: 21, derived_count: 20 });
    const me = await api.call('get', '/v1/me', { session: owner.session });
    expect(me.body.project.wallets).toMatchObject([{ gap_limit: 100_000, addresses: { limited: true } }]);
  });

  it('belongs to the first project that verifies, regardless of who registered first and with which settings', async () => {
    const [stranger, owner] = [await openMerchant(), await openMerchant()];
    const derivation_path = freshPath();
    await register(stranger, bip84({ derivation_path, start_index: 2_000_000, gap_limit: 100_000 }));
    const first = await register(owner, bip84({ derivation_path, gap_limit: 50 }));
    expect(first.body).toMatchObject({ gap_limit: 50 });
    const response = await verify(owner, addressOf(derivation_path, 0));
    expect(response.body).toMatchObject({ gap_limit: 50, verified: true });
    const settings = {
      owner_project_id: owner.projectId,
      gap_limit: 50,
      start_index: 0,
      last_used_index: -1,
      derived_until: 21,
    };
    expect(await poolOf(owner)).toMatchObject(settings);
    await verify(stranger, addressOf(derivation_path, 0));
    expect(await poolOf(owner)).toMatchObject(settings);
    expect(await walletsOf(stranger)).toMatchObject([{ gap_limit: 50, verified: true }]);
  });

  it('accepts a new gap limit and a later start from its owner, and never moves its window back', async () => {
    const owner = await openMerchant();
    const derivation_path = freshPath();
    await register(owner, bip84({ derivation_path, start_index: 100 }));
    await verify(owner, addressOf(derivation_path, 0));
    await register(owner, bip84({ derivation_path, gap_limit: 1000, start_index: 10 }));
    await verify(owner, addressOf(derivation_path, 0));
    expect(await poolOf(owner)).toMatchObject({ gap_limit: 1000, start_index: 100, derived_until: 120 });
  });
});

/** The address of the same script with the version byte that Litecoin has in common with Bitcoin. */
function withBitcoinVersion(): string {
  const key = keyOf({ currency: 'LTC', xpub: MTUB });
  return deriveReceiveAddress({ ...key, currency: 'BTC' }, 0).address;
}

/** CPU time of this thread, in microseconds, which runs the API and its client. */
async function mainThreadCpu(work: () => PromiseLike<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
