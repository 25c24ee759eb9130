import { randomBase58 } from '@paywatch/runtime/security';
import {
  byOperator,
  findAccount,
  recoverAccount,
  resetSecondFactors,
  unlockAccount,
} from '@paywatch/store/accounts';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, randomAddress, sharedApi, startApi } from '../support/api.ts';
import { BIP84 } from '../support/wallet-keys.ts';

/* The clock is moved by hand, so that each code belongs to a known time step. */
let nowMs = Date.now();
const nextStep = () => (nowMs += 30_000);
const env = {
  WEBHOOK_ALLOWED_HOSTS: 'shop.test',
  LOGIN_EMAIL_LIMIT_POINTS: '10',
  MAIL_URL: 'smtp://127.0.0.1:1',
};
const api = await sharedApi({ env, clock: { nowMs: () => nowMs } });

const PASSWORD = 'correct horse battery';

type Owner = { email: string; session: string; password: string };

async function openOwner(): Promise<Owner> {
  const email = `${randomBase58(8).toLowerCase()}@example.com`;
  const body = { email, password: PASSWORD };
  await api.call('post', '/v1/auth/register', { body }).expect(201);
  const { body: opened } = await api.call('post', '/v1/auth/login', { body }).expect(200);
  return { email, session: String(opened.session_token), password: PASSWORD };
}

/** What the owner's app shows. */
function codeOf(secret: string, atMs = nowMs): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

type Factor = { factorId: string; secret: string; recoveryCodes: string[] | null };

async function addFactor({ session, password }: Owner, name = 'My phone'): Promise<Factor> {
  const body = { name, current_password: password };
  const added = await api.call('post', '/v1/second-factors', { session, body });
  expectAnswer(added, 'addSecondFactor', 201);
  const { factor_id: factorId, secret } = added.body as { factor_id: string; secret: string };
  nextStep();
  const confirmed = await api.call('post', `/v1/second-factors/${factorId}/confirm`, {
    session,
    body: { code: codeOf(secret) },
  });
  expectAnswer(confirmed, 'confirmSecondFactor', 200);
  nextStep();
  return { factorId, secret, recoveryCodes: confirmed.body.recovery_codes };
}

async function openProtected() {
  const owner = await openOwner();
  return { owner, factor: await addFactor(owner) };
}

const login = ({ email, password }: Pick<Owner, 'email' | 'password'>, from = randomAddress()) =>
  api.call('post', '/v1/auth/login', { body: { email, password }, from });

async function challengeOf(owner: Owner): Promise<string> {
  const refused = await login(owner);
  expectProblem(refused, 401, 'second_factor_required');
  return String(refused.body.second_factor.challenge);
}

const verify = (challenge: string, code: string, from = randomAddress()) =>
  api.call('post', '/v1/auth/login/verify', { body: { challenge, code }, from });

const reauthenticate = (session: string, code: string) =>
  api.call('post', '/v1/auth/reauthenticate', { session, body: { code } });

/** As if the factor had been given eleven minutes ago. */
async function outdateProofs(): Promise<void> {
  await api.store.sql`update sessions set reauthenticated_at = reauthenticated_at - interval '11 minutes'`;
}

const auditOf = async ({ session }: Owner) => {
  const { body } = await api.call('get', '/v1/audit-log', { session });
  return (body.data as { action: string }[]).map(({ action }) => action);
};

describe('a login', () => {
  it('of an account without a second factor is as it was', async () => {
    const owner = await openOwner();
    expectAnswer(await login(owner), 'login', 200);
    const { body } = await api.call('get', '/v1/second-factors', owner);
    expect(body).toEqual({ data: [], recovery_codes_left: 0 });
  });

  it('needs a code of the app after the password, and each code works once', async () => {
    const { owner, factor } = await openProtected();
    const code = codeOf(factor.secret);
    const opened = await verify(await challengeOf(owner), ` ${code.slice(0, 3)}-${code.slice(3)} `);
    expectAnswer(opened, 'verifyLogin', 200);
    await api.call('get', '/v1/me', { session: opened.body.session_token }).expect(200);
    const again = await challengeOf(owner);
    expectProblem(await verify(again, code), 401, 'invalid_code');
    nextStep();
    expectAnswer(await verify(again, codeOf(factor.secret)), 'verifyLogin', 200);
    expectProblem(await verify(again, codeOf(factor.secret, nowMs + 30_000)), 410, 'challenge_expired');
  });

  it('accepts the codes of the previous and the next 30 seconds, and no others', async () => {
    const { owner, factor } = await openProtected();
    for (const seconds of [-60, 60, 90]) {
      const code = codeOf(factor.secret, nowMs + seconds * 1000);
      expectProblem(await verify(await challengeOf(owner), code), 401, 'invalid_code');
    }
    nowMs += 300_000;
    for (const seconds of [-30, 0, 30]) {
      const code = codeOf(factor.secret, nowMs + seconds * 1000);
      expect((await verify(await challengeOf(owner), code)).status, `${seconds} s`).toBe(200);
    }
  });

  it('accepts each recovery code once, however it is written, and audits it', async () => {
    const { owner, factor } = await openProtected();
    expect(factor.recoveryCodes).toHaveLength(10);
    expect(new Set(factor.recoveryCodes).size).toBe(10);
    const [code = ''] = factor.recoveryCodes ?? [];
    expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    const opened = await verify(await challengeOf(owner), code.toLowerCase().replaceAll('-', ' '));
    expectAnswer(opened, 'verifyLogin', 200);
    expectProblem(await verify(await challengeOf(owner), code), 401, 'invalid_code');
    const { body } = await api.call('get', '/v1/second-factors', owner);
    expectAnswer(await api.call('get', '/v1/second-factors', owner), 'listSecondFactors', 200);
    expect(body.recovery_codes_left).toBe(9);
    expect(await auditOf(owner)).toContain('recovery_code.used');
  });

  it('ends with the challenge after five wrong codes, and the limit of the account holds over challenges', async () => {
    const { owner, factor } = await openProtected();
    const first = await challengeOf(owner);
    for (let wrong = 0; wrong < 5; wrong += 1)
      expectProblem(await verify(first, '000000'), 401, 'invalid_code');
    expectProblem(await verify(first, codeOf(factor.secret)), 410, 'challenge_expired');
    const second = await challengeOf(owner);
    for (let wrong = 0; wrong < 5; wrong += 1) await verify(second, '000000');
    expectProblem(await verify(await challengeOf(owner), codeOf(factor.secret)), 429, 'rate_limited');
  });

  it('opens one session when a code is sent many times at once', async () => {
    const { owner, factor } = await openProtected();
    const challenges = await Promise.all([1, 2, 3, 4].map(() => challengeOf(owner)));
    const code = codeOf(factor.secret);
    const statuses = await Promise.all(challenges.map(async (one) => (await verify(one, code)).status));
    expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 401, 401, 401]);
  });

  it('refuses challenges that are unknown, expired, of another account, or older than a password change', async () => {
    const [one, two] = [await openProtected(), await openProtected()];
    expectProblem(await verify('unknown', codeOf(one.factor.secret)), 410, 'challenge_expired');
    expectProblem(await verify(await challengeOf(one.owner), codeOf(two.factor.secret)), 401, 'invalid_code');
    const late = await challengeOf(one.owner);
    await api.store.sql`update login_challenges set expires_at = now()`;
    expectProblem(await verify(late, codeOf(one.factor.secret)), 410, 'challenge_expired');
    const before = await challengeOf(two.owner);
    const body = { current_password: PASSWORD, new_password: 'another long passphrase' };
    await api.call('post', '/v1/auth/change-password', { ...two.owner, body }).expect(200);
    nextStep();
    expectProblem(await verify(before, codeOf(two.factor.secret)), 410, 'challenge_expired');
  });

  it('shows nothing but the password check to somebody with a wrong password', async () => {
    const { owner } = await openProtected();
    const wrong = await login({ ...owner, password: 'wrong horse battery' });
    expectProblem(wrong, 401, 'invalid_credentials');
    expect(wrong.body).not.toHaveProperty('second_factor');
  });
});

/** Uses up the common count of wrong codes with the password, from many networks. */
async function guessWithPassword(owner: Owner): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const challenge = await challengeOf(owner);
    for (let wrong = 0; wrong < 5; wrong += 1) await verify(challenge, '000000');
  }
  expectProblem(await verify(await challengeOf(owner), '000000'), 429, 'rate_limited');
}

async function guessWithSession({ session }: Owner): Promise<void> {
  for (let wrong = 0; wrong < 10; wrong += 1) await reauthenticate(session, '000000');
  expectProblem(await reauthenticate(session, '000000'), 429, 'rate_limited');
}

describe('wrong codes of a stranger', () => {
  it.each([
    ['password', guessWithPassword],
    ['session', guessWithSession],
  ] as const)('with a stolen %s do not lock the owner out of a known network', async (_, guess) => {
    const { owner, factor } = await openProtected();
    const home = randomAddress();
    expectAnswer(await verify(await challengeOf(owner), codeOf(factor.secret), home), 'verifyLogin', 200);
    nextStep();
    await guess(owner);
    const opened = await verify(await challengeOf(owner), codeOf(factor.secret), home);
    expectAnswer(opened, 'verifyLogin', 200);
    nextStep();
    const session = String(opened.body.session_token);
    const body = { code: codeOf(factor.secret) };
    const proved = await api.call('post', '/v1/auth/reauthenticate', { session, body, from: home });
    expectAnswer(proved, 'reauthenticate', 200);
  });

  it('are forgotten when the operator unlocks the account', async () => {
    const { owner, factor } = await openProtected();
    await guessWithPassword(owner);
    const code = codeOf(factor.secret);
    expectProblem(await verify(await challengeOf(owner), code), 429, 'rate_limited');
    const account = await findAccount(api.store, owner.email);
    await unlockAccount(api.store, byOperator, {
      accountId: account?.accountId ?? 0n,
      reason: 'called back',
    });
    expectAnswer(await verify(await challengeOf(owner), code), 'verifyLogin', 200);
  });

  it('do not count apart in networks that logged in with the password alone', async () => {
    const owner = await openOwner();
    const thief = randomAddress();
    expectAnswer(await login(owner, thief), 'login', 200);
    await addFactor(owner);
    await guessWithPassword(owner);
    expectProblem(await verify(await challengeOf(owner), '000000', thief), 429, 'rate_limited');
  });
});

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** What a thief would change, with a session that gave no factor for eleven minutes. */
const DANGEROUS: Record<string, (owner: Owner, factor: Factor) => Promise<{ status: number }>> = {
  createWallet: async ({ session }) =>
    api.call('post', '/v1/wallets', { session, body: { currency: 'BTC', xpub: BIP84.zpub } }),
  verifyWallet: async ({ session }) =>
    api.call('post', '/v1/wallets/BTC/verify', { session, body: { address: BIP84.receive[0] } }),
  updateWallet: async ({ session }) =>
    api.call('patch', '/v1/wallets/BTC', { session, body: { gap_limit: 40 } }),
  setWebhook: async ({ session }) =>
    api.call('post', '/v1/webhooks', { session, body: { url: 'https://shop.test/' } }),
  createWebhookEndpoint: async ({ session }) =>
    api.call('post', '/v1/webhook-endpoints', { session, body: { url: 'https://shop.test/' } }),
  updateWebhookEndpoint: async ({ session }) =>
    api.call('patch', '/v1/webhook-endpoints/we_1', { session, body: { url: 'https://shop.test/' } }),
  rotateWebhookSecret: async ({ session }) =>
    api.call('post', '/v1/webhook-endpoints/we_1/rotate-secret', { session }),
  deleteWebhookEndpoint: async ({ session }) => api.call('delete', '/v1/webhook-endpoints/we_1', { session }),
  createApiKey: async ({ session }) => api.call('post', '/v1/api-keys', { session }),
  inviteMember: async ({ session, email }) => {
    await api.store.sql`update accounts set email_verified_at = now() where email = ${email}`;
    const body = { email: 'thief@example.com', role: 'owner' };
    return api.call('post', '/v1/members/invitations', { session, body });
  },
  updateMember: async ({ session }) =>
    api.call('patch', `/v1/members/${NOBODY}`, { session, body: { role: 'owner' } }),
  removeMember: async ({ session }) => api.call('delete', `/v1/members/${NOBODY}`, { session }),
  revokeApiKey: async ({ session }) => api.call('delete', '/v1/api-keys/unknown', { session }),
  changeEmail: async ({ session, password }) =>
    api.call('post', '/v1/auth/change-email', {
      session,
      body: { current_password: password, new_email: 'thief@example.com' },
    }),
  addSecondFactor: async ({ session, password }) =>
    api.call('post', '/v1/second-factors', { session, body: { name: 'Mine', current_password: password } }),
  replaceRecoveryCodes: async ({ session }) => api.call('post', '/v1/recovery-codes', { session }),
  removeSecondFactor: async ({ session }, { factorId }) =>
    api.call('delete', `/v1/second-factors/${factorId}`, { session }),
  endSession: async ({ session }) =>
    api.call('delete', '/v1/sessions/00000000-0000-4000-8000-000000000000', { session }),
  exportAccount: async ({ session }) => api.call('get', '/v1/account/export', { session }),
  deleteAccount: async ({ session, email, password }) =>
    api.call('post', '/v1/account/delete', { session, body: { email, current_password: password } }),
  updateProject: async ({ session }) =>
    api.call('patch', '/v1/project', { session, body: { donor_texts_days: 30 } }),
  logoutOthers: async ({ session }) => api.call('post', '/v1/auth/logout-others', { session }),
  changePassword: async ({ session, password }) =>
    api.call('post', '/v1/auth/change-password', {
      session,
      body: { current_password: password, new_password: 'the password of a thief' },
    }),
};

describe('a session whose second factor was given long ago', () => {
  it.each(Object.entries(DANGEROUS))('cannot use %s until a factor is given again', async (name, change) => {
    const { owner, factor } = await openProtected();
    if (name === 'verifyWallet' || name === 'updateWallet') await DANGEROUS['createWallet']?.(owner, factor);
    if (name === 'updateWallet') await DANGEROUS['verifyWallet']?.(owner, factor);
    await outdateProofs();
    expectProblem((await change(owner, factor)) as never, 403, 'reauthentication_required');
    const proved = await reauthenticate(owner.session, codeOf(factor.secret));
    expectAnswer(proved, 'reauthenticate', 200);
    const untilMs = Date.parse(proved.body.valid_until) - Date.now();
    expect(untilMs).toBeGreaterThan(590_000);
    expect(untilMs).toBeLessThanOrEqual(600_000);
    expect((await change(owner, factor)).status).not.toBe(403);
  });

  it('reads as before, and changes what is not dangerous', async () => {
    const { owner } = await openProtected();
    await outdateProofs();
    expectAnswer(await api.call('get', '/v1/me', owner), 'getMe', 200);
    const renamed = await api.call('patch', '/v1/project', { ...owner, body: { name: 'Shop' } });
    expectAnswer(renamed, 'updateProject', 200);
  });

  it('is not renewed by a wrong code, a used one, or a code of another account', async () => {
    const [{ owner, factor }, other] = [await openProtected(), await openProtected()];
    await outdateProofs();
    const code = codeOf(factor.secret);
    expectProblem(await reauthenticate(owner.session, '000000'), 401, 'invalid_code');
    expectProblem(await reauthenticate(owner.session, codeOf(other.factor.secret)), 401, 'invalid_code');
    expectAnswer(await reauthenticate(owner.session, code), 'reauthenticate', 200);
    await outdateProofs();
    expectProblem(await reauthenticate(owner.session, code), 401, 'invalid_code');
    expectProblem(
      (await DANGEROUS['createApiKey']?.(owner, factor)) as never,
      403,
      'reauthentication_required',
    );
  });
});

it('a login with a factor may make changes; another session of the account may not', async () => {
  const { owner, factor } = await openProtected();
  await outdateProofs();
  const opened = await verify(await challengeOf(owner), codeOf(factor.secret));
  const session = String(opened.body.session_token);
  expect((await DANGEROUS['createApiKey']?.({ ...owner, session }, factor))?.status).toBe(201);
  expect((await DANGEROUS['createApiKey']?.(owner, factor))?.status).toBe(403);
});

it('an API key changes what its scopes allow without a second factor', async () => {
  const { owner, factor } = await openProtected();
  const created = await DANGEROUS['createApiKey']?.(owner, factor);
  const { token: apiKey } = (created as unknown as { body: { token: string } }).body;
  await outdateProofs();
  const set = await api.call('post', '/v1/webhooks', { apiKey, body: { url: 'https://shop.test/' } });
  expectAnswer(set, 'setWebhook', 201);
});

describe('adding an app', () => {
  it('needs the password, is named in the app by deployment and email, and protects nothing before its first code', async () => {
    const owner = await openOwner();
    const wrong = { ...owner, body: { name: 'Phone', current_password: 'wrong horse' } };
    expectProblem(await api.call('post', '/v1/second-factors', wrong), 401, 'invalid_credentials');
    const body = { name: 'Phone', current_password: PASSWORD };
    const { body: added } = await api.call('post', '/v1/second-factors', { ...owner, body }).expect(201);
    const url = new URL(added.otpauth_url);
    expect(decodeURIComponent(url.pathname)).toBe(`/Paywatch pay.example:${owner.email}`);
    expect(url.searchParams.get('secret')).toBe(added.secret);
    expect(added.secret).toMatch(/^[A-Z2-7]{32}$/);
    expectAnswer(await login(owner), 'login', 200);
    const confirm = `/v1/second-factors/${added.factor_id}/confirm`;
    expectProblem(
      await api.call('post', confirm, { ...owner, body: { code: '000000' } }),
      401,
      'invalid_code',
    );
    expectAnswer(await login(owner), 'login', 200);
  });

  it('is refused for a factor of somebody else, one that is too old, and a sixth one', async () => {
    const [owner, other] = [await openOwner(), await openOwner()];
    const body = { name: 'Phone', current_password: PASSWORD };
    const { body: added } = await api.call('post', '/v1/second-factors', { ...owner, body }).expect(201);
    const confirm = `/v1/second-factors/${added.factor_id}/confirm`;
    const code = { code: codeOf(added.secret) };
    expectProblem(await api.call('post', confirm, { ...other, body: code }), 404, 'factor_not_found');
    await api.store.sql`update second_factors set created_at = now() - interval '31 minutes'
                        where public_id = ${added.factor_id}`;
    expectProblem(await api.call('post', confirm, { ...owner, body: code }), 404, 'factor_not_found');
    for (let factor = 1; factor <= 5; factor += 1) {
      const { recoveryCodes } = await addFactor(owner, `App ${factor}`);
      expect(recoveryCodes === null).toBe(factor > 1);
    }
    expectProblem(await api.call('post', '/v1/second-factors', { ...owner, body }), 409, 'too_many_factors');
  });
});

describe('removing an app', () => {
  it('keeps the others; with the last one go the recovery codes, and a login needs the password only', async () => {
    const { owner, factor } = await openProtected();
    const second = await addFactor(owner, 'Tablet');
    const remove = (factorId: string) => api.call('delete', `/v1/second-factors/${factorId}`, owner);
    expectAnswer(await remove(factor.factorId), 'removeSecondFactor', 200);
    expectProblem(await remove(factor.factorId), 404, 'factor_not_found');
    expectProblem(await verify(await challengeOf(owner), codeOf(factor.secret)), 401, 'invalid_code');
    expectAnswer(await remove(second.factorId), 'removeSecondFactor', 200);
    expectAnswer(await login(owner), 'login', 200);
    const [codes] = await api.store.sql`select count(*)::int as count from recovery_codes c
      join accounts a on a.id = c.account_id where a.email = ${owner.email}`;
    expect(codes?.['count']).toBe(0);
    expect(await auditOf(owner)).toEqual(
      expect.arrayContaining(['second_factor.removed', 'second_factor.added']),
    );
  });

  it('replaces recovery codes as a whole', async () => {
    const { owner, factor } = await openProtected();
    const replaced = await api.call('post', '/v1/recovery-codes', owner);
    expectAnswer(replaced, 'replaceRecoveryCodes', 200);
    const [old = ''] = factor.recoveryCodes ?? [];
    expectProblem(await verify(await challengeOf(owner), old), 401, 'invalid_code');
    const [fresh = ''] = replaced.body.recovery_codes as string[];
    expectAnswer(await verify(await challengeOf(owner), fresh), 'verifyLogin', 200);
    const plain = await openOwner();
    expectProblem(await api.call('post', '/v1/recovery-codes', plain), 404, 'factor_not_found');
  });
});

describe('an owner without the app', () => {
  it('gets in again by the operator, who recovers the account or resets its factors', async () => {
    const { owner } = await openProtected();
    const [account] = await api.store.sql<
      { id: bigint }[]
    >`select id from accounts where email = ${owner.email}`;
    const accountId = account?.id ?? 0n;
    expect(await resetSecondFactors(api.store, accountId, 'phone lost, identity checked')).toBe(1);
    expect(await resetSecondFactors(api.store, accountId, 'again')).toBe(0);
    expectProblem(await api.call('get', '/v1/me', owner), 401, 'unauthorized');
    const opened = await login(owner);
    expectAnswer(opened, 'login', 200);
    const again = { ...owner, session: String(opened.body.session_token) };
    expect((await auditOf(again)).filter((action) => action === 'second_factors.reset')).toHaveLength(1);
    await addFactor(again);
    await recoverAccount(api.store, accountId, 'a hash');
    const [left] = await api.store
      .sql`select count(*)::int as count from second_factors where account_id = ${accountId}`;
    expect(left?.['count']).toBe(0);
  });

  it('keeps the factors of a verified address when the password is reset by a link', async () => {
    const { owner } = await openProtected();
    await api.store.sql`update accounts set email_verified_at = now() where email = ${owner.email}`;
    await resetByLink(owner.email);
    const refused = await login({ ...owner, password: 'the newest password' });
    expectProblem(refused, 401, 'second_factor_required');
  });

  it('loses the factors of an address that nobody had verified: somebody else may have added them', async () => {
    const { owner } = await openProtected();
    await resetByLink(owner.email);
    expectAnswer(await login({ ...owner, password: 'the newest password' }), 'login', 200);
  });
});

/** Resets the password by a link whose token is written here, as the mail worker does. */
async function resetByLink(email: string): Promise<void> {
  const token = randomBase58(20);
  await api.store.sql`
    insert into email_tokens (token_hash, account_id, purpose, email, expires_at)
    select sha256(convert_to(${token}, 'UTF8')), id, 'reset', email, now() + interval '1 minute'
    from accounts where email = ${email}`;
  const body = { token, new_password: 'the newest password' };
  await api.call('post', '/v1/auth/reset-password', { body }).expect(200);
}

it('a secret that cannot be decrypted leaves the recovery codes', async () => {
  const { owner, factor } = await openProtected();
  const other = await startApi({
    beside: api,
    env: { ...env, ENCRYPTION_KEYS: `other:${Buffer.alloc(32, 9).toString('base64')}` },
  });
  const challenge = await challengeOf(owner);
  const [code = ''] = factor.recoveryCodes ?? [];
  const opened = await other.call('post', '/v1/auth/login/verify', { body: { challenge, code } });
  expectAnswer(opened, 'verifyLogin', 200);
  await other.close();
});

it('a secret that cannot be decrypted leaves the other apps', async () => {
  const { owner, factor } = await openProtected();
  const second = await addFactor(owner, 'Tablet');
  await api.store.sql`
    update second_factors set secret_sealed = convert_to('damaged', 'UTF8') where public_id = ${factor.factorId}`;
  // Counts: otherwise the codes of the other app could be guessed without a limit.
  expectProblem(await verify(await challengeOf(owner), codeOf(factor.secret)), 401, 'invalid_code');
  const opened = await verify(await challengeOf(owner), codeOf(second.secret));
  expectAnswer(opened, 'verifyLogin', 200);
});

it('no log line contains a secret, a code or a challenge', async () => {
  const { owner, factor } = await openProtected();
  const challenge = await challengeOf(owner);
  const code = codeOf(factor.secret);
  await verify(challenge, code).expect(200);
  const log = api.logLines.join('');
  for (const secret of [factor.secret, ...(factor.recoveryCodes ?? []), challenge, `"${code}"`])
    expect(log).not.toContain(secret);
});
