import { OPERATIONS, type Operation } from '@paywatch/domain/contract';
import { randomBase58, randomToken, sha256 } from '@paywatch/runtime/security';
import { Secret, TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  type TestApi,
} from '../support/api.ts';

const ORIGIN = 'https://pay.example';
const api = await sharedApi({ env: { SESSION_IDLE_SECONDS: '3600', LOGIN_EMAIL_LIMIT_POINTS: '1000' } });
const other = await sharedApi({ beside: api });
/** A deployment without TLS, such as the development stack. */
const plain = await sharedApi({ beside: api, env: { PUBLIC_URL: 'http://pay.example:8080' } });
const capitals = await sharedApi({ beside: api, env: { PUBLIC_URL: 'HTTPS://PAY.EXAMPLE' } });

const PASSWORD = 'correct horse battery';
/** What the browser adds to a request of a page of the deployment itself. */
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN, 'X-Paywatch-Page': 'account' };

type Headers = Record<string, string>;
type Method = 'get' | 'post' | 'patch' | 'delete';

async function register(): Promise<{ email: string; password: string }> {
  const account = { email: `${randomBase58(8).toLowerCase()}@example.com`, password: PASSWORD };
  await api.call('post', '/v1/auth/register', { body: account }).expect(201);
  return account;
}

const login = (body: object, headers: Headers = OWN_PAGE, replica: TestApi = api) =>
  replica.call('post', '/v1/auth/login', { body }).set(headers);

/** What a browser would send back, without the attributes. */
function cookieOf(response: Response): string {
  const [header = ''] = (response.headers['set-cookie'] ?? []) as unknown as string[];
  return header.split(';')[0] ?? '';
}

async function openPage(): Promise<{ cookie: string; token: string; email: string }> {
  const account = await register();
  const response = await login(account);
  expectAnswer(response, 'login', 200);
  return { cookie: cookieOf(response), token: String(response.body.session_token), email: account.email };
}

/** Adds an authenticator app to the account. Returns what makes one code that was not used yet. */
async function addApp(session: string): Promise<() => { code: string }> {
  const body = { name: 'Phone', current_password: PASSWORD };
  const { body: added } = await api.call('post', '/v1/second-factors', { session, body }).expect(201);
  const app = new TOTP({ secret: Secret.fromBase32(String(added.secret)) });
  const codeAt = (step: number) => ({ code: app.generate({ timestamp: Date.now() + step * 30_000 }) });
  const confirm = `/v1/second-factors/${added.factor_id}/confirm`;
  await api.call('post', confirm, { session, body: codeAt(-1) }).expect(200);
  return () => codeAt(0);
}

const ask = (method: Method, path: string, cookie: string, headers: Headers = OWN_PAGE, replica = api) =>
  replica.call(method, path).set({ ...headers, Cookie: cookie });
const me = (cookie: string, headers: Headers = OWN_PAGE, replica = api) =>
  ask('get', '/v1/me', cookie, headers, replica);

describe('a login', () => {
  it('from a page also sets a cookie that no script, other host, other site or plain connection gets', async () => {
    const response = await login(await register());
    expectAnswer(response, 'login', 200);
    const [header = ''] = response.headers['set-cookie'] as unknown as string[];
    const [value, ...attributes] = header.split('; ');
    expect(value).toMatch(/^__Host-paywatch_session=[\w-]{60,300}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Strict', 'Secure']);
    expectAnswer(await me(value ?? ''), 'getMe', 200);
  });

  it('from a page of a deployment without TLS sets a cookie that browsers accept there', async () => {
    const headers = { 'X-Paywatch-Page': 'account', Origin: 'http://pay.example:8080' };
    const response = await login(await register(), headers, plain);
    const [header = ''] = response.headers['set-cookie'] as unknown as string[];
    expect(header).toMatch(/^paywatch_session=[\w-]+; /);
    expect(header).not.toContain('Secure');
    await me(cookieOf(response), headers, plain).expect(200);
  });

  it('from a page sets the same cookie if PUBLIC_URL is written in capitals', async () => {
    const response = await login(await register(), OWN_PAGE, capitals);
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-.*; Secure/);
  });

  it.each<[string, Headers]>([
    ['from a program', {}],
    ['from a page without the header', { 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN }],
    ['from another site', { ...OWN_PAGE, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['from another host of the domain', { ...OWN_PAGE, 'Sec-Fetch-Site': 'same-site' }],
  ])('%s sets none, and answers as ever', async (_, headers) => {
    const response = await login(await register(), headers);
    expectAnswer(response, 'login', 200);
    expect(response.headers['set-cookie']).toBeUndefined();
    await api.call('get', '/v1/me', { session: response.body.session_token }).expect(200);
  });

  it('that fails sets none', async () => {
    const { email } = await register();
    const refused = await login({ email, password: 'wrong horse battery' });
    expectProblem(refused, 401, 'invalid_credentials');
    expect(refused.headers['set-cookie']).toBeUndefined();
  });

  it('with a second factor sets it with the code, and not before', async () => {
    const account = await register();
    const { body: opened } = await login(account);
    const newCode = await addApp(String(opened.session_token));
    const waiting = await login(account);
    expectProblem(waiting, 401, 'second_factor_required');
    expect(waiting.headers['set-cookie']).toBeUndefined();
    const { challenge } = waiting.body.second_factor as { challenge: string };
    const verified = await api
      .call('post', '/v1/auth/login/verify', { body: { challenge, ...newCode() } })
      .set(OWN_PAGE);
    expectAnswer(verified, 'verifyLogin', 200);
    await me(cookieOf(verified)).expect(200);
  });
});

describe('a new login in the same browser', () => {
  it('ends the session that the browser had, on every replica', async () => {
    const { cookie, email } = await openPage();
    await me(cookie, OWN_PAGE, other).expect(200);
    const response = await login({ email, password: PASSWORD }, { ...OWN_PAGE, Cookie: cookie });
    expectAnswer(response, 'login', 200);
    for (const replica of [api, other])
      expectProblem(await me(cookie, OWN_PAGE, replica), 401, 'unauthorized');
    await me(cookieOf(response)).expect(200);
  });

  it('ends it also if it was of another account, because the browser has lost its cookie', async () => {
    const [one, two] = [await openPage(), await openPage()];
    const response = await login(
      { email: two.email, password: PASSWORD },
      { ...OWN_PAGE, Cookie: one.cookie },
    );
    expectAnswer(response, 'login', 200);
    expectProblem(await me(one.cookie), 401, 'unauthorized');
    await me(two.cookie).expect(200);
  });

  it('with a second factor ends it with the code, and not before', async () => {
    const { cookie, token, email } = await openPage();
    const newCode = await addApp(token);
    const headers = { ...OWN_PAGE, Cookie: cookie };
    const refused = await login({ email, password: PASSWORD }, headers);
    expectProblem(refused, 401, 'second_factor_required');
    await me(cookie).expect(200);
    const { challenge } = refused.body.second_factor;
    const verified = await ask('post', '/v1/auth/login/verify', cookie).send({ challenge, ...newCode() });
    expectAnswer(verified, 'verifyLogin', 200);
    expectProblem(await me(cookie), 401, 'unauthorized');
  });

  it('that fails leaves it open', async () => {
    const { cookie, email } = await openPage();
    const refused = await login({ email, password: 'wrong horse battery' }, { ...OWN_PAGE, Cookie: cookie });
    expectProblem(refused, 401, 'invalid_credentials');
    await me(cookie).expect(200);
  });

  it.each([
    ['a program', {}],
    [
      'a page of another site',
      { ...OWN_PAGE, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    ],
  ])('that %s sends leaves it open', async (_, headers: Headers) => {
    const { cookie, email } = await openPage();
    const response = await login({ email, password: PASSWORD }, { ...headers, Cookie: cookie });
    expect(response.headers['set-cookie']).toBeUndefined();
    expectAnswer(await me(cookie), 'getMe', 200);
  });
});

/** Requests that a browser sends with the cookie, although no page of the account area made them. */
const FORGED: [string, Headers][] = [
  ['a page of another site', { ...OWN_PAGE, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  [
    'another host of the domain',
    { ...OWN_PAGE, 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.pay.example' },
  ],
  [
    'another site, in a browser without Sec-Fetch-Site',
    { 'X-Paywatch-Page': 'account', Origin: 'https://evil.example' },
  ],
  ['a sandboxed page', { 'X-Paywatch-Page': 'account', Origin: 'null' }],
  ['a page without the header', { 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN }],
  [
    'a form',
    { 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN, 'Content-Type': 'application/x-www-form-urlencoded' },
  ],
  ['a form of another site', { 'Content-Type': 'text/plain', Origin: 'https://evil.example' }],
  ['the address bar', { 'Sec-Fetch-Site': 'none' }],
  ['an old browser that says nothing', {}],
];

describe('a cookie is refused, and nothing changes, if the request comes from', () => {
  it.each(FORGED)('%s', async (_, headers) => {
    const { cookie } = await openPage();
    const renamed = await ask('patch', '/v1/project', cookie, headers).send('{"name":"Taken over"}');
    expectProblem(renamed, 403, 'forbidden');
    expectProblem(await ask('post', '/v1/auth/logout-all', cookie, headers), 403, 'forbidden');
    expectProblem(await me(cookie, headers), 403, 'forbidden');
    const { body } = await me(cookie).expect(200);
    expect(body.project.name).toBeNull();
  });
});

const PROTECTED = Object.entries<Operation>(OPERATIONS).filter(([, { auth }]) => auth !== 'none');

describe('without the header of the pages a cookie authenticates no operation:', () => {
  it.each(PROTECTED)('%s', async (_, { method, path }) => {
    const { cookie } = await shared;
    const named = path.replaceAll(/\{\w+\}/g, 'BTC');
    expectProblem(await ask(method, named, cookie, { 'Sec-Fetch-Site': 'same-origin' }), 403, 'forbidden');
  });
});
const shared = openPage();

describe('a credential in a header wins over the cookie:', () => {
  it('the session of another account', async () => {
    const { cookie } = await openPage();
    const { session, email } = await openAccount(api);
    const { body } = await me(cookie, { ...OWN_PAGE, Authorization: `Bearer ${session}` }).expect(200);
    expect(body.account.email).toBe(email);
  });

  it.each(['Bearer ses_unknown', 'Bearer ', 'Basic dXNlcjpwYXNz', ''])(
    'one that is wrong ("%s")',
    async (authorization) => {
      const { cookie } = await openPage();
      const refused = await me(cookie, { ...OWN_PAGE, Authorization: authorization });
      expectProblem(refused, 401, 'unauthorized');
    },
  );

  it('an API key, also where keys are not accepted', async () => {
    const { cookie } = await openPage();
    const apiKey = await openApiKey(api, await openAccount(api));
    await ask('get', '/v1/stats', cookie, { 'X-Api-Key': apiKey }).expect(200);
    expectProblem(await me(cookie, { ...OWN_PAGE, 'X-Api-Key': apiKey }), 401, 'unauthorized');
  });
});

describe('the value of a cookie', () => {
  it('neither contains the session token nor works as one', async () => {
    const { cookie, token } = await openPage();
    const [, value = ''] = cookie.split('=');
    expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(token);
    expectProblem(await api.call('get', '/v1/me', { session: value }), 401, 'unauthorized');
  });

  it('is refused if it was changed, made by others, or sealed for another purpose', async () => {
    const { cookie, token } = await openPage();
    const [name, value = ''] = cookie.split('=');
    const { sealer } = api.dependencies;
    const changed = Buffer.from(value, 'base64url');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const place = { table: 'second_factors', column: 'secret_sealed', row: '1' };
    const forged = [changed, sealer.seal(token, place), Buffer.from(token), Buffer.alloc(60)];
    for (const bytes of forged) {
      const refused = await me(`${name}=${bytes.toString('base64url')}`);
      expectProblem(refused, 401, 'unauthorized');
    }
    for (const text of ['', token, '%00', 'x'.repeat(8000), `"${value}"x`]) {
      expectProblem(await me(`${name}=${text}`), 401, 'unauthorized');
    }
    // As another host of the domain could set it.
    expectProblem(await me(`paywatch_session=${value}`), 401, 'unauthorized');
  });

  it('is in no line of the log', async () => {
    const { cookie } = await openPage();
    await me(cookie).expect(200);
    await me(cookie, {}).expect(403);
    expect(api.logLines.join('')).not.toContain(cookie.split('=')[1]);
  });
});

describe('a session of the pages ends everywhere, with its cookie,', () => {
  it.each(['/v1/auth/logout', '/v1/auth/logout-all'])('by %s', async (path) => {
    const { cookie } = await openPage();
    await me(cookie, OWN_PAGE, other).expect(200);
    const ended = await ask('post', path, cookie).expect(200);
    expect(ended.headers['set-cookie']).toEqual([
      '__Host-paywatch_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
    ]);
    for (const replica of [api, other])
      expectProblem(await me(cookie, OWN_PAGE, replica), 401, 'unauthorized');
  });

  it('by a new password', async () => {
    const { cookie } = await openPage();
    const body = { current_password: PASSWORD, new_password: 'another long passphrase' };
    const changed = await ask('post', '/v1/auth/change-password', cookie).send(body).expect(200);
    expect(String(changed.headers['set-cookie'])).toContain('Max-Age=0');
    expectProblem(await me(cookie, OWN_PAGE, other), 401, 'unauthorized');
  });

  it('by a reset of the password, also if the cookie is of another account', async () => {
    const { email } = await openPage();
    const token = randomToken(32);
    await api.store.sql`
      insert into email_tokens (token_hash, account_id, email, purpose, expires_at)
      select ${sha256(token)}, id, email, 'reset', now() + interval '1 minute' from accounts where email = ${email}`;
    const { cookie } = await openPage();
    const body = { token, new_password: 'another long passphrase' };
    const reset = await ask('post', '/v1/auth/reset-password', cookie).send(body).expect(200);
    expect(String(reset.headers['set-cookie'])).toContain('__Host-paywatch_session=; Max-Age=0');
  });

  it('by another session that ends it', async () => {
    const { cookie, email } = await openPage();
    const { body } = await login({ email, password: PASSWORD }, {});
    await api.call('post', '/v1/auth/logout-others', { session: body.session_token }).expect(200);
    expectProblem(await me(cookie, OWN_PAGE, other), 401, 'unauthorized');
  });

  it('when it was not used for the idle time', async () => {
    const { cookie, token } = await openPage();
    const hash = sha256(token);
    await api.store
      .sql`update sessions set last_used_at = now() - interval '3601 seconds' where token_hash = ${hash}`;
    expectProblem(await me(cookie), 401, 'unauthorized');
  });

  it('and a bearer session answers logout without a cookie', async () => {
    const { session } = await openAccount(api);
    const ended = await api.call('post', '/v1/auth/logout', { session }).expect(200);
    expect(ended.headers['set-cookie']).toBeUndefined();
  });
});

describe('pages of other origins', () => {
  it.each(['/v1/me', '/v1/auth/login', '/v1/public/fee/BTC', `/v1/public/donate/${randomToken(16)}`])(
    'may send neither credentials nor the header of the pages to %s',
    async (path) => {
      const asked = {
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-paywatch-page',
      };
      const origin = { Origin: 'https://evil.example' };
      for (const response of [
        await api.call('options', path).set({ ...origin, ...asked }),
        await api.call('get', path).set(origin),
      ]) {
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
        expect(response.headers['access-control-allow-headers'] ?? '').not.toMatch(/paywatch|\*/i);
        const isPublic = path.startsWith('/v1/public/');
        expect(response.headers['access-control-allow-origin']).toBe(isPublic ? '*' : undefined);
      }
    },
  );
});
