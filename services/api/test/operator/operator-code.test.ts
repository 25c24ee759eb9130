import { randomBase58, sha256 } from '@paywatch/runtime/security';
import { byOperator, deleteAccount, resetPasswordByLink } from '@paywatch/store/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi } from '../support/api.ts';
import { makeOperator, openOperator } from '../support/operators.ts';

const CODE = 'a code of the installer';
const PASSWORD = 'correct horse battery';
const env = { OPERATOR_CODE: CODE, MAIL_URL: 'smtp://mail.example' };
const api = await sharedApi({ env });
const other = await sharedApi({ env, beside: api });
const without = await sharedApi({ beside: api });
const { sql } = api.store;

const newEmail = () => `${randomBase58(8).toLowerCase()}@example.com`;
const register = (code?: string, email = newEmail(), replica = api) =>
  replica.call('post', '/v1/auth/register', {
    body: { email, password: PASSWORD, ...(code !== undefined && { operator_code: code }) },
  });
const countAccounts = async () => (await sql<{ n: number }[]>`select count(*)::int as n from accounts`)[0]?.n;
const operators = async () =>
  (await sql<{ email: string }[]>`select email from accounts where is_operator`).map(({ email }) => email);

afterEach(() => sql`update accounts set is_operator = false`);

async function isOperatorByLogin(email: string): Promise<boolean> {
  const login = await api.call('post', '/v1/auth/login', { body: { email, password: PASSWORD } });
  expectAnswer(login, 'login', 200);
  const me = await api.call('get', '/v1/me', { session: login.body.session_token });
  expectAnswer(me, 'getMe', 200);
  return me.body.account.is_operator;
}

function expectInvalidCode(response: Parameters<typeof expectProblem>[0]): void {
  expectProblem(response, 422, 'validation_error');
  expect(response.body.errors).toEqual([
    { path: 'body.operator_code', message: 'This code is wrong or was used before.' },
  ]);
}

describe('the operator code', () => {
  it('makes the first account that registers with it the operator, with a line in its audit log', async () => {
    const email = newEmail();
    expectAnswer(await register(CODE, email), 'register', 201);
    expect(await operators()).toEqual([email]);
    expect(await isOperatorByLogin(email)).toBe(true);
    const lines = await sql<{ action: string; actor: string }[]>`
      select action, detail->>'actor' as actor from audit_log
      where account_id = (select id from accounts where email = ${email}) order by id`;
    expect(lines).toEqual([
      { action: 'account.registered', actor: 'session' },
      { action: 'operator.added', actor: 'session' },
    ]);
  });

  it.each(['a code of somebody else', 'A CODE OF THE INSTALLER', `${CODE} `, 'x'])(
    'is refused if it is wrong, without an account: %j',
    async (code) => {
      const before = await countAccounts();
      expectInvalidCode(await register(code));
      expect(await countAccounts()).toBe(before);
      expect(await operators()).toEqual([]);
    },
  );

  it('is refused with the same answer while an account is the operator, without an account', async () => {
    await openOperator(api);
    const before = await countAccounts();
    const [used, wrong] = [await register(CODE), await register('a code of somebody else')];
    expectInvalidCode(used);
    expect({ ...used.body, request_id: null }).toEqual({ ...wrong.body, request_id: null });
    expect(await countAccounts()).toBe(before);
  });

  it('is always wrong where the deployment has none', async () => {
    expectInvalidCode(await register(CODE, newEmail(), without));
  });

  it('makes one operator of two that use it at the same moment on two replicas', async () => {
    for (let time = 0; time < 5; time += 1) {
      const answers = await Promise.all([
        register(CODE, newEmail(), api),
        register(CODE, newEmail(), other),
        register(CODE, newEmail(), api),
      ]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 422, 422]);
      expect(await operators()).toHaveLength(1);
      await sql`update accounts set is_operator = false`;
    }
  });

  it('does not reveal whether an email has an account, and changes nothing in an existing account', async () => {
    const known = await openAccount(api);
    const answer = await register(CODE, known.email);
    expectAnswer(answer, 'register', 201);
    expect(await operators()).toEqual([]);
    expectAnswer(await register(CODE), 'register', 201);
    expect(await operators()).not.toContain(known.email);
  });

  it('is not needed to register, and a registration without it does not make an operator', async () => {
    const email = newEmail();
    expectAnswer(await register(undefined, email), 'register', 201);
    expect(await isOperatorByLogin(email)).toBe(false);
  });

  it('is in no log', async () => {
    await register(CODE);
    expect(api.logLines.join('')).not.toContain(CODE);
  });
});

describe('an operator', () => {
  it('whose address somebody else proves by a reset of the password is none any more', async () => {
    const account = await openOperator(api);
    await sql`
      insert into email_tokens (token_hash, account_id, email, purpose, expires_at)
      values (${sha256('link')}, ${account.accountId}, ${account.email}, 'reset', now() + interval '1 hour')`;
    expect(await resetPasswordByLink(api.store, { tokenHash: sha256('link'), ip: null }, 'none')).toBe(true);
    expect(await operators()).toEqual([]);
  });

  it('with a verified address stays one after a reset of the password', async () => {
    const account = await openOperator(api);
    await sql`update accounts set email_verified_at = now() where id = ${account.accountId}`;
    await sql`
      insert into email_tokens (token_hash, account_id, email, purpose, expires_at)
      values (${sha256('other')}, ${account.accountId}, ${account.email}, 'reset', now() + interval '1 hour')`;
    expect(await resetPasswordByLink(api.store, { tokenHash: sha256('other'), ip: null }, 'none')).toBe(true);
    expect(await operators()).toEqual([account.email]);
  });

  it('who deletes the account leaves the code to the next one', async () => {
    const account = await openAccount(api);
    await makeOperator(api, account);
    await deleteAccount(api.store, byOperator, { accountId: account.accountId, passwordHash: null });
    expect(await operators()).toEqual([]);
    const email = newEmail();
    expectAnswer(await register(CODE, email), 'register', 201);
    expect(await operators()).toEqual([email]);
  });
});
