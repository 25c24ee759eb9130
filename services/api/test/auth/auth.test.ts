import { randomBase58 } from '@paywatch/runtime/security';
import { byOperator, findAccount, recoverAccount, unlockAccount } from '@paywatch/store/accounts';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  randomAddress,
  sharedApi,
  startApi,
} from '../support/api.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });

const PASSWORD = 'correct horse';
const newEmail = () => `${randomBase58(8).toLowerCase()}@example.com`;

async function register(email = newEmail(), password = PASSWORD): Promise<string> {
  expectAnswer(await api.call('post', '/v1/auth/register', { body: { email, password } }), 'register', 201);
  return email;
}

const login = (email: string, password = PASSWORD, from = randomAddress()) =>
  api.call('post', '/v1/auth/login', { body: { email, password }, from });

async function sessionOf(email: string, password = PASSWORD, from = randomAddress()): Promise<string> {
  const response = await login(email, password, from);
  expectAnswer(response, 'login', 200);
  return response.body.session_token;
}

describe('register', () => {
  it('opens an account that can log in, with a project, both tokens and a trial of 14 days', async () => {
    const session = await sessionOf(await register());
    const { body } = await api.call('get', '/v1/me', { session });
    const days = (Date.parse(body.project.subscription.active_until) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(14, 1);
    expect(body.project).toMatchObject({ name: null, subscription: { active: true } });
    expect(body.project.donate_url).toBe(`https://pay.example/donate/${body.project.donate_token}`);
    expect(body.project.overlay_url).toBe(`https://pay.example/overlay/${body.project.overlay_token}`);
  });

  it('answers a used email exactly like a new one and changes nothing', async () => {
    const email = newEmail();
    const first = await api.call('post', '/v1/auth/register', { body: { email, password: PASSWORD } });
    const again = await api.call('post', '/v1/auth/register', { body: { email, password: 'another one' } });
    expect(again.status).toBe(first.status);
    expect(again.text).toBe(first.text);
    expectProblem(await login(email, 'another one'), 401, 'invalid_credentials');
    await sessionOf(email);
  });

  it('mails the owner of a used email, at most five times an hour, and nobody else', async () => {
    const email = await register();
    const mailsTo = () => api.store.sql<{ kind: string; status: string }[]>`
      select kind, status from mails where recipient = ${email} and kind = 'already_registered'`;
    expect(await mailsTo()).toEqual([]);
    for (let time = 0; time < 6; time += 1) await register(email, 'another one');
    expect(await mailsTo()).toEqual(
      Array.from({ length: 5 }, () => ({ kind: 'already_registered', status: 'pending' })),
    );
  });

  it('treats emails that differ only in case or surrounding spaces as the same account', async () => {
    const email = await register();
    expectAnswer(await login(`  ${email.toUpperCase()} `), 'login', 200);
  });

  it('grants no trial if the operator turned it off', async () => {
    const strict = await startApi({ beside: api, env: { TRIAL_DAYS: '0' } });
    const email = newEmail();
    await strict.call('post', '/v1/auth/register', { body: { email, password: PASSWORD } });
    const { body } = await api.call('get', '/v1/me', { session: await sessionOf(email) });
    expect(body.project.subscription).toEqual({ active: false, active_until: null });
    await strict.close();
  });

  it.each([
    ['a short password', { email: 'a@example.com', password: '1234567' }, 'body.password'],
    ['a common password', { email: 'a@example.com', password: 'Password1' }, 'body.password'],
    ['eight digits in a row', { email: 'a@example.com', password: '12345678' }, 'body.password'],
    ['eight spaces', { email: 'a@example.com', password: '        ' }, 'body.password'],
    [
      'a password with the name',
      { email: 'Merchant@example.com', password: 'merchant 2026' },
      'body.password',
    ],
    ['a password with the email', { email: 'me@example.com', password: 'x me@EXAMPLE.com' }, 'body.password'],
    ['no email', { password: PASSWORD }, 'body.email'],
    ['an email that is none', { email: 'a@', password: PASSWORD }, 'body.email'],
    [
      'a field that it does not know',
      { email: 'a@example.com', password: PASSWORD, admin: true },
      'body.admin',
    ],
  ])('refuses %s with validation_error naming the field', async (_, body, path) => {
    const response = await api.call('post', '/v1/auth/register', { body });
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
  });

  it('lets one network register 20 times an hour, counted before the body is read', async () => {
    const from = randomAddress();
    const limited = await startApi({ beside: api, env: { REGISTER_LIMIT_POINTS: '3' } });
    const call = (sent: object) => limited.call('post', '/v1/auth/register', { body: sent, from });
    expectProblem(await call({}), 422, 'validation_error');
    expectProblem(await call({ email: newEmail(), padding: 'x'.repeat(70_000) }), 413, 'payload_too_large');
    const third = await call({ email: newEmail(), password: PASSWORD });
    expect(third.status).toBe(201);
    expect(third.headers['ratelimit-policy']).toBe('"register";q=3;w=3600');
    expect(third.headers['ratelimit']).toMatch(/^"register";r=0;t=3(600|59\d)$/);
    const refused = await call({ email: newEmail(), password: PASSWORD });
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    await limited.close();
  });
});

describe('login', () => {
  it('opens a session that lasts 7 days', async () => {
    const email = await register();
    const response = await login(email);
    expectAnswer(response, 'login', 200);
    const days = (Date.parse(response.body.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
  });

  it('answers a wrong password and an unknown email with the same 401', async () => {
    const wrong = await login(await register(), 'wrong password');
    const unknown = await login(newEmail(), 'wrong password');
    expectProblem(wrong, 401, 'invalid_credentials');
    expectProblem(unknown, 401, 'invalid_credentials');
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    expect(wrong.headers['www-authenticate']).toBe('Bearer realm="paywatch"');
  });

  it('lets one network try 10 times in 15 minutes, whatever X-Forwarded-For it forges', async () => {
    const from = randomAddress();
    for (let tries = 0; tries < 10; tries += 1) {
      const response = await login(newEmail(), PASSWORD, `${randomAddress()}, ${from}`);
      expectProblem(response, 401, 'invalid_credentials');
      expect(response.headers['ratelimit-policy']).toBe('"login";q=10;w=900');
    }
    const refused = await login(newEmail(), PASSWORD, `${randomAddress()}, ${from}`);
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  });

  it('counts malformed attempts, and refuses the eleventh attempt in any case', async () => {
    const from = randomAddress();
    const call = (body: object) => api.call('post', '/v1/auth/login', { body, from });
    for (let tries = 0; tries < 10; tries += 1)
      expectProblem(
        await call({ email: newEmail(), password: '\u0315\u0300'.repeat(8000) }),
        422,
        'validation_error',
      );
    expectProblem(await call({}), 429, 'rate_limited');
  });

  it.each([
    ['that has an account', true],
    ['that has none', false],
  ])('refuses an email %s after 5 failures from anywhere, on every replica', async (_, exists) => {
    const email = exists ? await register() : newEmail();
    for (let tries = 0; tries < 5; tries += 1) {
      expectProblem(await login(email, 'wrong password'), 401, 'invalid_credentials');
    }
    const refused = await other.call('post', '/v1/auth/login', { body: { email, password: PASSWORD } });
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).toBeDefined();
  });

  it('counts failures of networks the owner logged in from separately, so that strangers cannot lock the owner out', async () => {
    const email = await register();
    const home = randomAddress();
    await sessionOf(email, PASSWORD, home);
    for (let tries = 0; tries < 6; tries += 1) await login(email, 'wrong password');
    expectProblem(await login(email), 429, 'rate_limited');
    await sessionOf(email, PASSWORD, home);
    for (let tries = 0; tries < 5; tries += 1) await login(email, 'wrong password', home);
    expectProblem(await login(email, PASSWORD, home), 429, 'rate_limited');
  });

  it('and changes of an account that the operator unlocks may be tried again, on every replica, and no other account', async () => {
    const [email, stranger] = [await register(), await register()];
    const session = await sessionOf(email);
    const change = () => {
      const body = { current_password: 'wrong password', new_password: 'another long passphrase' };
      return api.call('post', '/v1/auth/change-password', { session, body });
    };
    for (let tries = 0; tries < 5; tries += 1) {
      await login(email, 'wrong password');
      await login(stranger, 'wrong password');
      await change();
    }
    expectProblem(await login(email), 429, 'rate_limited');
    expectProblem(await change(), 429, 'rate_limited');
    const account = await findAccount(api.store, email);
    await unlockAccount(api.store, byOperator, {
      accountId: account?.accountId ?? 0n,
      reason: 'called back',
    });
    const elsewhere = await other.call('post', '/v1/auth/login', { body: { email, password: PASSWORD } });
    expectAnswer(elsewhere, 'login', 200);
    expectAnswer(await login(email), 'login', 200);
    expectProblem(await change(), 401, 'invalid_credentials');
    expectProblem(await login(stranger), 429, 'rate_limited');
    for (let tries = 0; tries < 5; tries += 1) await login(email, 'wrong password');
    expectProblem(await login(email), 429, 'rate_limited');
  });

  it('forgets a known network after 30 days', async () => {
    const email = await register();
    const home = randomAddress();
    await sessionOf(email, PASSWORD, home);
    await api.store.sql`
      update login_origins set last_login_at = now() - interval '31 days' where origin = ${home}`;
    for (let tries = 0; tries < 5; tries += 1) await login(email, 'wrong password');
    expectProblem(await login(email, PASSWORD, home), 429, 'rate_limited');
  });

  it('does not count a correct password as a failure', async () => {
    const email = await register();
    for (let tries = 0; tries < 7; tries += 1) expectAnswer(await login(email), 'login', 200);
  });

  it('counts correct passwords only while they are being checked', async () => {
    const email = await register();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => login(email)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
    for (let tries = 0; tries < 6; tries += 1) expectAnswer(await login(email), 'login', 200);
  });

  it('refuses logins with 503 while too many passwords are being hashed', async () => {
    const busy = await startApi({ beside: api, env: { PASSWORD_HASHES_AT_ONCE: '1' } });
    const body = { email: newEmail(), password: PASSWORD };
    const responses = await Promise.all(
      Array.from({ length: 30 }, () =>
        busy.call('post', '/v1/auth/login', { body: { ...body, email: newEmail() } }),
      ),
    );
    const refused = responses.filter((response) => response.status === 503);
    expect(responses.filter((response) => response.status === 401).length).toBeGreaterThanOrEqual(5);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expectProblem(response, 503, 'service_unavailable');
      expect(response.headers['retry-after']).toBe('1');
    }
    await busy.close();
  });
});

describe('logout', () => {
  it('ends only this session, on every replica, before it responds', async () => {
    const email = await register();
    const [one, two] = [await sessionOf(email), await sessionOf(email)];
    for (const session of [one, two]) await other.call('get', '/v1/me', { session }).expect(200);
    expectAnswer(await api.call('post', '/v1/auth/logout', { session: one }), 'logout', 200);
    expectProblem(await other.call('get', '/v1/me', { session: one }), 401, 'unauthorized');
    await other.call('get', '/v1/me', { session: two }).expect(200);
  });

  it('with logout-all ends every session of the account and none of another', async () => {
    const email = await register();
    const sessions = [await sessionOf(email), await sessionOf(email)];
    const stranger = await openAccount(api);
    for (const session of sessions) await other.call('get', '/v1/me', { session }).expect(200);
    const response = await api.call('post', '/v1/auth/logout-all', { session: sessions[0] ?? '' });
    expectAnswer(response, 'logoutAll', 200);
    for (const session of sessions) {
      expectProblem(await other.call('get', '/v1/me', { session }), 401, 'unauthorized');
    }
    await other.call('get', '/v1/me', { session: stranger.session }).expect(200);
  });
});

const change = (session: string, current_password: string, new_password = 'a new password') =>
  api.call('post', '/v1/auth/change-password', { session, body: { current_password, new_password } });

describe('change-password', () => {
  it('sets the new password and ends all sessions on every replica, including the current one', async () => {
    const email = await register();
    const sessions = [await sessionOf(email), await sessionOf(email)];
    for (const session of sessions) await other.call('get', '/v1/me', { session }).expect(200);
    expectAnswer(await change(sessions[0] ?? '', PASSWORD), 'changePassword', 200);
    for (const session of sessions) {
      expectProblem(await other.call('get', '/v1/me', { session }), 401, 'unauthorized');
    }
    expectProblem(await login(email), 401, 'invalid_credentials');
    await sessionOf(email, 'a new password');
  });

  it('refuses a wrong current password with 401 invalid_credentials and keeps the sessions', async () => {
    const session = await sessionOf(await register());
    expectProblem(await change(session, 'wrong password'), 401, 'invalid_credentials');
    await api.call('get', '/v1/me', { session }).expect(200);
  });

  it.each([['password'], ['12345678'], ['        ']])('refuses %j as the new password', async (weak) => {
    const session = await sessionOf(await register());
    const refused = await change(session, PASSWORD, weak);
    expectProblem(refused, 422, 'validation_error');
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['body.new_password']);
  });

  it('refuses a new password that contains the email, and keeps the old one', async () => {
    const email = await register();
    const session = await sessionOf(email);
    expectProblem(await change(session, PASSWORD, `it is ${email.toUpperCase()}`), 422, 'validation_error');
    await sessionOf(email);
  });

  it('allows 5 wrong guesses in 15 minutes', async () => {
    const session = await sessionOf(await register());
    for (let tries = 0; tries < 5; tries += 1) {
      expectProblem(await change(session, 'wrong password'), 401, 'invalid_credentials');
    }
    expectProblem(await change(session, PASSWORD), 429, 'rate_limited');
  });

  it('lets one network try 10 times in 15 minutes, counted before the body is read', async () => {
    const session = await sessionOf(await register());
    const from = randomAddress();
    const call = () =>
      api.call('post', '/v1/auth/change-password', { session, from, body: { new_password: 1 } });
    for (let tries = 0; tries < 10; tries += 1) expectProblem(await call(), 422, 'validation_error');
    expectProblem(await call(), 429, 'rate_limited');
  });

  it('lets one of two concurrent changes succeed; the other gets 401', async () => {
    const email = await register();
    const [one, two] = [await sessionOf(email), await sessionOf(email)];
    const responses = await Promise.all([
      change(one, PASSWORD, 'battery one'),
      change(two, PASSWORD, 'battery two'),
    ]);
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200, 401]));
  });

  it('leaves no session of a concurrent login with the old password', async () => {
    const email = await register();
    const session = await sessionOf(email);
    const [, ...logins] = await Promise.all([
      change(session, PASSWORD),
      login(email),
      login(email),
      login(email),
    ]);
    for (const { status, body } of logins.filter((response) => response.status === 200)) {
      expect(status).toBe(200);
      expectProblem(await other.call('get', '/v1/me', { session: body.session_token }), 401, 'unauthorized');
    }
  });

  it('refuses a short new password', async () => {
    const { session } = await openAccount(api);
    const response = await change(session, PASSWORD, '1234567');
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('body.new_password');
  });
});

describe('recoverAccount of the store', () => {
  it('lets the operator give an account back: a new password and overlay token, and no session left', async () => {
    const email = await register();
    const session = await sessionOf(email);
    const overlayToken = async (of: string): Promise<string> =>
      (await api.call('get', '/v1/me', { session: of })).body.project.overlay_token;
    const before = await overlayToken(session);
    const [account] = await api.store.sql<{ id: bigint }[]>`select id from accounts where email = ${email}`;
    const hash = await api.dependencies.passwords.hash('reset password', 'nowhere');
    expect(await recoverAccount(api.store, account?.id ?? 0n, hash)).toBe(true);
    expectProblem(await api.call('get', '/v1/me', { session }), 401, 'unauthorized');
    expect(await overlayToken(await sessionOf(email, 'reset password'))).not.toBe(before);
    expect(await recoverAccount(api.store, 999_999n, hash)).toBe(false);
  });
});
