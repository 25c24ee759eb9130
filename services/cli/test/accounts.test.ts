import { hashPassword, matchesPasswordHash, randomToken, sha256 } from '@paywatch/runtime/security';
import {
  findApiKey,
  byOperator,
  createApiKey,
  createSession,
  findLoginAccount,
  findOwnPassword,
  findSession,
  isOperator,
  simpleKey,
} from '@paywatch/store/accounts';
import { listenForOverlays } from '@paywatch/store/donations';
import { findOverview } from '@paywatch/store/projects';
import { getWebhookEndpoint, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  openAccount,
  openBench,
  openWallet,
  SECRET_XPUB,
  type Bench,
  type TestAccount,
} from './support/bench.ts';

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());

async function openSession({ accountId }: TestAccount, passwordHash: string): Promise<string> {
  const tokenHash = sha256(randomToken(32));
  const client = { origin: 'nowhere', ip: null, userAgent: null };
  await createSession(bench.store, { accountId, passwordHash, tokenHash, lifetimeSeconds: 3600, ...client });
  return tokenHash.toString('hex');
}

async function lastAuditLine({ accountId }: TestAccount) {
  const [line] = await bench.store.sql`
    select action, detail from audit_log where account_id = ${accountId} order by id desc limit 1`;
  return line;
}

const list = z.object({ data: z.array(z.object({ email: z.string() })), next_cursor: z.string().nullable() });
/** Algorithm, version and cost of an encoded hash. */
const settingsOf = (encoded: string) => encoded.split('$').slice(0, 4);

describe('accounts list', () => {
  test('pages through all accounts once, newest first', async () => {
    const emails = [];
    for (let count = 0; count < 3; count += 1) emails.unshift((await openAccount(bench)).email);
    const first = (await bench.run(['accounts', 'list', '--limit', '2', '--json'])).read(list);
    expect(first.data.map(({ email }) => email)).toEqual(emails.slice(0, 2));
    expect(first.next_cursor).toBe(emails[1]);
    const second = (
      await bench.run(['accounts', 'list', '--limit', '1', '--cursor', String(emails[1]), '--json'])
    ).read(list);
    expect(second.data[0]?.email).toBe(emails[2]);
  });

  test('filters by active subscription', async () => {
    const active = await openAccount(bench, 14);
    const lapsed = await openAccount(bench);
    const [withOne, withoutOne] = await Promise.all([
      bench.spawn(['accounts', 'list', '--active']),
      bench.run(['accounts', 'list', '--lapsed']),
    ]);
    expect(withOne.stdout).toContain(active.email);
    expect(withOne.stdout).not.toContain(lapsed.email);
    expect(withoutOne.stdout).toContain(lapsed.email);
    expect(withoutOne.stdout).not.toContain(active.email);
  });
});

describe('accounts show', () => {
  test('shows project, wallets, keys and changes without secrets, link tokens or extended keys', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    const secretHash = sha256('secret');
    await createApiKey(bench.store, byOperator, {
      projectId: account.projectId,
      keyPublic: 'Key1',
      secretHash,
      ...simpleKey('full'),
    });
    const secretSealed = Buffer.from('sealed secret');
    const url = 'https://shop.example/hook?token=merchants-own';
    await setWebhookEndpoint(bench.store, byOperator, { projectId: account.projectId, url, secretSealed });
    const [forPeople, forPrograms] = await Promise.all([
      bench.run(['accounts', 'show', account.email]),
      bench.run(['accounts', 'show', account.email.toUpperCase(), '--json']),
    ]);
    expect(forPrograms.json()).toMatchObject({
      email: account.email,
      subscription: { active: true },
      wallets: [{ currency: 'BTC', verified: true, gap_limit: 20, next_index: 1, addresses: { free: 19 } }],
      webhook: { url: 'https://shop.example/hook', status: 'healthy' },
      api_keys: [{ key_public: 'Key1', scope: 'full', revoked_at: null }],
    });
    const { changes } = forPrograms.read(z.object({ changes: z.array(z.object({ action: z.string() })) }));
    const actions = changes.map(({ action }) => action);
    expect(actions).toEqual([
      'webhook.set',
      'api_key.created',
      'wallet.verified',
      'wallet.registered',
      'account.registered',
    ]);
    for (const { stdout } of [forPeople, forPrograms]) {
      const secrets = [
        account.donateToken,
        account.overlayToken,
        SECRET_XPUB,
        'merchants-own',
        'sealed secret',
      ];
      for (const secret of [...secrets, secretHash.toString('hex')]) expect(stdout).not.toContain(secret);
    }
  });

  test('counts the sessions that are open, not those past their idle time', async () => {
    const account = await openAccount(bench);
    const { passwordHash } = await findOwnPassword(bench.store, account.accountId);
    const [idle] = [await openSession(account, passwordHash), await openSession(account, passwordHash)];
    await bench.store.sql`
      update sessions set last_used_at = now() - interval '301 seconds', created_at = now() - interval '1 hour'
      where token_hash = decode(${idle ?? ''}, 'hex')`;
    const env = { SESSION_IDLE_SECONDS: '300' };
    const shown = await bench.run(['accounts', 'show', account.email, '--json'], { env });
    expect(shown.json()).toMatchObject({ sessions: 1 });
  });

  test('texts of merchants cannot control the terminal', async () => {
    const account = await openAccount(bench);
    const name = `Shop\u001B[2J\u0007\nEmail: other@example.com\u202E`;
    await bench.store.sql`update projects set name = ${name} where id = ${account.projectId}`;
    const { stdout } = await bench.run(['accounts', 'show', account.email]);
    expect(stdout).toMatch(/^Project: +Shop {2}Email: other@example\.com $/m);
  });
});

describe('accounts remove-factors', () => {
  test('removes apps and recovery codes, writes the reason to the audit log, and can be repeated', async () => {
    const account = await openAccount(bench);
    await bench.store.sql`
      insert into second_factors (account_id, name, secret_sealed, confirmed_at)
      values (${account.accountId}, 'Phone', 'x', now()), (${account.accountId}, 'Tablet', 'x', now())`;
    await bench.store.sql`
      insert into recovery_codes (account_id, code_hash) values (${account.accountId}, 'a'), (${account.accountId}, 'b')`;
    const command = ['accounts', 'remove-factors', account.email, '--reason', 'phone lost, called back'];
    const removed = await bench.run([...command, '--json']);
    expect(removed.json()).toEqual({ email: account.email, removed: 2 });
    const [left] = await bench.store.sql`
      select (select count(*)::int from second_factors where account_id = ${account.accountId}) as factors,
        (select count(*)::int from recovery_codes where account_id = ${account.accountId}) as codes`;
    expect(left).toEqual({ factors: 0, codes: 0 });
    const [line] = await bench.store.sql`
      select action, detail from audit_log where account_id = ${account.accountId} order by id desc limit 1`;
    expect(line).toEqual({
      action: 'second_factors.reset',
      detail: { actor: 'operator', removed: 2, reason: 'phone lost, called back' },
    });
    expect((await bench.run(command)).stdout).toContain('has no second factor');
  });

  test('ends all sessions: one on a lost phone could change the wallets without a code', async () => {
    const account = await openAccount(bench);
    const { passwordHash } = await findOwnPassword(bench.store, account.accountId);
    const session = await openSession(account, passwordHash);
    await bench.store.sql`
      insert into second_factors (account_id, name, secret_sealed, confirmed_at)
      values (${account.accountId}, 'Phone', 'x', now())`;
    expect(await findSession(bench.store, session, 3600)).not.toBeNull();
    await bench.run(['accounts', 'remove-factors', account.email, '--reason', 'phone lost']);
    expect(await findSession(bench.store, session, 3600)).toBeNull();
  });

  test('does not count an app that was never confirmed', async () => {
    const account = await openAccount(bench);
    await bench.store.sql`
      insert into second_factors (account_id, name, secret_sealed) values (${account.accountId}, 'Phone', 'x')`;
    const run = await bench.run(['accounts', 'remove-factors', account.email, '--reason', 'asked by phone']);
    expect(run.stdout).toContain('has no second factor');
  });

  test('needs a reason and an account', async () => {
    const account = await openAccount(bench);
    const without = await bench.run(['accounts', 'remove-factors', account.email]);
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('--reason');
    const unknown = await bench.run(['accounts', 'remove-factors', 'nobody@example.com', '--reason', 'x']);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('nobody@example.com');
  });
});

describe('accounts unlock', () => {
  test('lets logins be tried again, with the reason in the audit log', async () => {
    const account = await openAccount(bench);
    const unlocks = async () => (await findLoginAccount(bench.store, account.email, 'nowhere'))?.unlocks;
    expect(await unlocks()).toBe(0);
    const command = ['accounts', 'unlock', account.email, '--reason', 'called back'];
    expect((await bench.run([...command, '--json'])).json()).toEqual({
      email: account.email,
      unlocked: true,
    });
    expect(await unlocks()).toBe(1);
    expect(await lastAuditLine(account)).toEqual({
      action: 'account.unlocked',
      detail: { actor: 'operator', reason: 'called back' },
    });
  });

  test('works while Redis is unavailable', async () => {
    const account = await openAccount(bench);
    const command = ['accounts', 'unlock', account.email, '--reason', 'called back'];
    const run = await bench.run(command, { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain(account.email);
  });
});

describe('accounts make-operator and remove-operator', () => {
  test('give and take the operator’s area, with the reason in the audit log, and can be repeated', async () => {
    const account = await openAccount(bench);
    const run = (command: string) =>
      bench.run(['accounts', command, account.email, '--reason', 'on duty', '--json']);
    const answer = (operator: boolean, changed: boolean) => ({ email: account.email, operator, changed });
    expect(await isOperator(bench.store, account.accountId)).toBe(false);
    expect((await run('make-operator')).json()).toEqual(answer(true, true));
    expect(await isOperator(bench.store, account.accountId)).toBe(true);
    const line = { detail: { actor: 'operator', reason: 'on duty' } };
    expect(await lastAuditLine(account)).toEqual({ action: 'operator.added', ...line });
    const shown = await bench.run(['accounts', 'show', account.email, '--json']);
    expect(shown.json()).toMatchObject({ operator: true });
    expect((await bench.run(['accounts', 'list'])).stdout).toMatch(
      new RegExp(`^${account.email} .* yes$`, 'm'),
    );
    expect((await run('make-operator')).json()).toEqual(answer(true, false));
    expect((await run('remove-operator')).json()).toEqual(answer(false, true));
    expect(await isOperator(bench.store, account.accountId)).toBe(false);
    expect(await lastAuditLine(account)).toEqual({ action: 'operator.removed', ...line });
    expect((await run('remove-operator')).json()).toEqual(answer(false, false));
    expect((await bench.run(['accounts', 'show', account.email])).stdout).toMatch(/^Operator: +no$/m);
    expect((await bench.run(['accounts', 'list'])).stdout).toMatch(
      new RegExp(`^${account.email} .* no$`, 'm'),
    );
  });
});

describe('accounts end-sessions', () => {
  test('ends all sessions of this account only, with the reason in the audit log, and can be repeated', async () => {
    const [account, other] = [await openAccount(bench), await openAccount(bench)];
    const sessions = [await openSession(account, 'none'), await openSession(account, 'none')];
    const kept = await openSession(other, 'none');
    const command = ['accounts', 'end-sessions', account.email, '--reason', 'laptop stolen'];
    expect((await bench.run([...command, '--json'])).json()).toEqual({ email: account.email, ended: 2 });
    for (const hash of sessions) {
      expect(await findSession(bench.store, hash, 3600)).toBeNull();
      expect(await bench.store.redis.get(bench.store.keys.session(hash))).toBe('revoked');
    }
    expect(await findSession(bench.store, kept, 3600)).not.toBeNull();
    expect(await lastAuditLine(account)).toEqual({
      action: 'sessions.ended',
      detail: { actor: 'operator', ended: 2, reason: 'laptop stolen' },
    });
    expect((await bench.run(command)).stdout).toContain('has no session');
  });
});

describe('accounts delete', () => {
  test('ends sessions and keys at once, with the reason in the audit log, and the account is not found again', async () => {
    const [account, other] = [await openAccount(bench), await openAccount(bench)];
    const session = await openSession(account, 'none');
    const kept = await openSession(other, 'none');
    const command = ['accounts', 'delete', account.email, '--reason', 'owner asked'];
    expect((await bench.run([...command, '--json'])).json()).toEqual({ email: account.email, deleted: true });
    expect(await findSession(bench.store, session, 3600)).toBeNull();
    expect(await bench.store.redis.get(bench.store.keys.session(session))).toBe('revoked');
    expect(await findSession(bench.store, kept, 3600)).not.toBeNull();
    expect(await lastAuditLine(account)).toEqual({
      action: 'account.deleted',
      detail: { actor: 'operator', reason: 'owner asked' },
    });
    const again = await bench.run(command);
    expect(again.code).not.toBe(0);
    const listed = await bench.run(['accounts', 'list', '--limit', '1000']);
    expect(listed.stdout).toContain(other.email);
    expect(listed.stdout).not.toContain('deleted');
  });
});

test.each(['unlock', 'end-sessions', 'make-operator', 'remove-operator', 'delete'])(
  'accounts %s needs a reason and an account',
  async (command) => {
    const account = await openAccount(bench);
    const without = await bench.run(['accounts', command, account.email]);
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('--reason');
    const unknown = await bench.run(['accounts', command, 'nobody@example.com', '--reason', 'x']);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('nobody@example.com');
  },
);

describe('accounts limit', () => {
  test('sets and resets the address limit, with an audit log entry', async () => {
    const account = await openAccount(bench);
    const show = async () =>
      (await bench.run(['accounts', 'show', account.email, '--json'])).read(
        z.object({
          addresses: z.object({ derived: z.number(), limit: z.number() }),
          changes: z.array(z.object({ action: z.string(), detail: z.record(z.string(), z.unknown()) })),
        }),
      );
    expect((await show()).addresses).toEqual({ derived: 0, limit: 2000 });
    const raised = await bench.run(['accounts', 'limit', account.email, '--addresses', '50000', '--json']);
    expect(raised.json()).toEqual({
      email: account.email,
      address_limit: 50_000,
      previous_address_limit: null,
      changed: true,
    });
    const { addresses, changes } = await show();
    expect(addresses.limit).toBe(50_000);
    expect(changes[0]).toEqual({
      action: 'account.address_limit_changed',
      detail: { actor: 'operator', from: null, to: 50_000 },
    });
    const back = await bench.run(['accounts', 'limit', account.email, '--default']);
    expect(back.stdout).toContain('ACCOUNT_ADDRESSES');
    expect((await show()).addresses.limit).toBe(2000);
  });

  test('requires either a number or --default', async () => {
    const account = await openAccount(bench);
    const command = ['accounts', 'limit', account.email];
    for (const wrong of [[], ['--addresses', '5'], ['--addresses', '500', '--default']])
      expect((await bench.run([...command, ...wrong])).code).not.toBe(0);
  });
});

describe('accounts reset-password', () => {
  test('prints a random password that is then valid', async () => {
    const account = await openAccount(bench);
    const run = await bench.spawn(['accounts', 'reset-password', account.email, '--json']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const { password } = run.read(z.object({ password: z.string() }));
    expect(run.stdout.split(password)).toHaveLength(2);
    expect(password.length).toBeGreaterThanOrEqual(20);
    const { passwordHash: stored } = await findOwnPassword(bench.store, account.accountId);
    expect(await matchesPasswordHash(stored, password)).toBe(true);
  });

  test('hashes the password like the API', async () => {
    const account = await openAccount(bench);
    await bench.run(['accounts', 'reset-password', account.email]);
    const { passwordHash: stored } = await findOwnPassword(bench.store, account.accountId);
    expect(settingsOf(stored)).toEqual(settingsOf(await hashPassword('any password')));
  });

  test('ends all sessions of this account only, with an audit log entry of the operator', async () => {
    const [account, other] = [await openAccount(bench), await openAccount(bench)];
    const sessions = [await openSession(account, 'none'), await openSession(account, 'none')];
    const kept = await openSession(other, 'none');
    expect((await bench.run(['accounts', 'reset-password', account.email])).code).toBe(0);
    for (const hash of sessions) {
      expect(await findSession(bench.store, hash, 3600)).toBeNull();
      expect(await bench.store.redis.get(bench.store.keys.session(hash))).toBe('revoked');
    }
    expect(await findSession(bench.store, kept, 3600)).not.toBeNull();
    const lines = await bench.store.sql`
      select action, detail from audit_log where account_id = ${account.accountId} order by id desc limit 1`;
    expect(lines[0]).toMatchObject({ action: 'password.reset', detail: { actor: 'operator' } });
  });

  test('revokes API keys, the webhook endpoint and unverified wallets', async () => {
    const account = await openAccount(bench);
    const { projectId } = account;
    await openWallet(bench, projectId, 'BTC');
    const secretHash = sha256('the key of a stranger');
    await createApiKey(bench.store, byOperator, {
      projectId,
      keyPublic: 'Stranger',
      secretHash,
      ...simpleKey('full'),
    });
    const secretSealed = Buffer.from('sealed secret');
    const url = 'https://stranger.example/';
    await setWebhookEndpoint(bench.store, byOperator, { projectId, url, secretSealed });
    await bench.store.sql`
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit)
      select project_id, 'LTC', pool_id, script_type, 'ltc1', gap_limit from wallets where project_id = ${projectId}`;
    expect((await bench.run(['accounts', 'reset-password', account.email])).code).toBe(0);
    expect(await findApiKey(bench.store, 'Stranger')).toMatchObject({ isRevoked: true });
    const cached = bench.store.keys.apiKey(projectId, secretHash.toString('hex'));
    expect(await bench.store.redis.get(cached)).toBe('revoked');
    expect(await getWebhookEndpoint(bench.store, projectId)).toBeNull();
    const wallets = await bench.store
      .sql`select currency, status from wallets where project_id = ${projectId}`;
    expect([...wallets]).toEqual([{ currency: 'BTC', status: 'verified' }]);
  });

  test('replaces the overlay token, notifies replicas and says so', async () => {
    const account = await openAccount(bench);
    const overlayToken = async () => (await findOverview(bench.store, account.projectId)).overlayToken;
    const before = await overlayToken();
    const notified = Promise.withResolvers<bigint>();
    const listening = Promise.withResolvers<void>();
    await listenForOverlays(bench.store, {
      onAccess: notified.resolve,
      onSettings: () => undefined,
      onControl: () => undefined,
      onListening: listening.resolve,
    });
    await listening.promise;
    const run = await bench.run(['accounts', 'reset-password', account.email]);
    expect(run.stdout).toContain('The overlay link is replaced');
    expect(await notified.promise).toBe(account.projectId);
    expect(await overlayToken()).not.toBe(before);
  });

  test('reads a password from standard input and does not print it', async () => {
    const account = await openAccount(bench);
    const args = ['accounts', 'reset-password', account.email, '--password-stdin'];
    const run = await bench.spawn(args, { stdin: 'correct horse battery\n' });
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain('correct horse');
    const { passwordHash: stored } = await findOwnPassword(bench.store, account.accountId);
    expect(await matchesPasswordHash(stored, 'correct horse battery')).toBe(true);
  });

  test('refuses a password that registration would refuse and changes nothing', async () => {
    const account = await openAccount(bench);
    const args = ['accounts', 'reset-password', account.email, '--password-stdin'];
    const run = await bench.run(args, { stdin: 'short' });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('Password not accepted');
    expect((await findOwnPassword(bench.store, account.accountId)).passwordHash).toBe('none');
  });

  test('works while Redis is unavailable', async () => {
    const account = await openAccount(bench);
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    const run = await bench.run(['accounts', 'reset-password', account.email], { env });
    expect(run.code).toBe(0);
    expect((await findOwnPassword(bench.store, account.accountId)).passwordHash).not.toBe('none');
  });
});
