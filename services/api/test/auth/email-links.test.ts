import { samplePicture } from '@paywatch/dev/testing';
import { randomBase58, sha256 } from '@paywatch/runtime/security';
import type { MailKind } from '@paywatch/store/mails';
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
import { linkIn as nextLink } from '../support/mail-links.ts';
import { openWallet } from '../support/wallet.ts';

const MAIL = {
  MAIL_URL: 'smtp://mail.example',
  MAIL_LINK_LIMIT_POINTS: '1000',
  WEBHOOK_ALLOWED_HOSTS: 'shop.test',
};
const api = await sharedApi({ env: MAIL });

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'another long passphrase';
const newEmail = () => `${randomBase58(8).toLowerCase()}@example.com`;

const post = (path: string, body: object, session?: string) =>
  api.call('post', `/v1/auth/${path}`, { body, ...(session === undefined ? {} : { session }) });

async function register(email = newEmail(), password = PASSWORD): Promise<string> {
  expectAnswer(await post('register', { email, password }), 'register', 201);
  return email;
}

async function logIn(email: string, password = PASSWORD): Promise<string> {
  const response = await post('login', { email, password });
  expectAnswer(response, 'login', 200);
  return response.body.session_token;
}

const linkIn = (kind: MailKind, recipient: string) => nextLink(api, kind, recipient);

async function mailsTo(recipient: string): Promise<string[]> {
  const rows = await api.store.sql<{ kind: string }[]>`
    select kind from mails where recipient = ${recipient} order by id`;
  return rows.map(({ kind }) => kind);
}

async function verify(email: string): Promise<void> {
  const token = await linkIn('verify_email', email);
  expectAnswer(await post('verify-email', { token, password: PASSWORD }), 'verifyEmail', 200);
}

async function resetLink(email: string): Promise<string | null> {
  expectAnswer(await post('forgot-password', { email }), 'forgotPassword', 200);
  return linkIn('reset_password', email);
}

const accountOf = async (session: string) => (await api.call('get', '/v1/me', { session })).body.account;

describe('verification of an address', () => {
  it('is offered to every new account and needs the link and the password', async () => {
    const email = await register();
    const session = await logIn(email);
    expect(await accountOf(session)).toMatchObject({ email, email_verified: false, mail_enabled: true });
    const token = await linkIn('verify_email', email);
    expectProblem(await post('verify-email', { token, password: 'wrong horse' }), 401, 'invalid_credentials');
    expect((await accountOf(session)).email_verified).toBe(false);
    expectAnswer(await post('verify-email', { token, password: PASSWORD }), 'verifyEmail', 200);
    expect((await accountOf(session)).email_verified).toBe(true);
  });

  it('works once, of several links one', async () => {
    const email = await register();
    const session = await logIn(email);
    expectAnswer(await post('resend-verification', {}, session).send(undefined), 'resendVerification', 200);
    const [second, first] = [await linkIn('verify_email', email), await linkIn('verify_email', email)];
    expectAnswer(await post('verify-email', { token: first, password: PASSWORD }), 'verifyEmail', 200);
    for (const token of [first, second])
      expectProblem(await post('verify-email', { token, password: PASSWORD }), 410, 'link_expired');
  });

  it('ends after 30 minutes', async () => {
    const email = await register();
    const token = await linkIn('verify_email', email);
    const [row] = await api.store.sql<{ seconds: number }[]>`
      select extract(epoch from expires_at - now())::float8 as seconds from email_tokens
      where token_hash = ${sha256(token!)}`;
    expect(row!.seconds).toBeGreaterThan(1700);
    expect(row!.seconds).toBeLessThanOrEqual(1800);
    await api.store.sql`update email_tokens set expires_at = now() where token_hash = ${sha256(token!)}`;
    expectProblem(await post('verify-email', { token, password: PASSWORD }), 410, 'link_expired');
  });

  it('keeps sessions and keys, because mailbox and password together are the owner', async () => {
    const account = await openAccount(api);
    const apiKey = await openApiKey(api, account);
    await setPassword(account);
    await verify(account.email);
    expectAnswer(await api.call('get', '/v1/me', { session: account.session }), 'getMe', 200);
    expectAnswer(await api.call('get', '/v1/invoices', { apiKey }), 'listInvoices', 200);
  });

  it('is stored as a hash only, and no link opens another operation', async () => {
    const email = await register();
    const token = await linkIn('verify_email', email);
    const dump = await api.store
      .sql`select t::text from email_tokens t union all select m::text from mails m`;
    expect(JSON.stringify(dump)).not.toContain(token);
    expectProblem(await post('reset-password', { token, new_password: NEW_PASSWORD }), 410, 'link_expired');
    expectProblem(await post('confirm-email', { token }), 410, 'link_expired');
    expectAnswer(await post('verify-email', { token, password: PASSWORD }), 'verifyEmail', 200);
  });

  it('counts wrong passwords like failed logins', async () => {
    const token = await linkIn('verify_email', await register());
    for (let n = 0; n < 5; n += 1)
      expectProblem(await post('verify-email', { token, password: 'wrong' }), 401, 'invalid_credentials');
    expectProblem(await post('verify-email', { token, password: PASSWORD }), 429, 'rate_limited');
  });
});

/** Gives an account that was opened without a password one, by the operator's hash. */
async function setPassword({ accountId, session }: TestAccount): Promise<void> {
  const passwordHash = await api.dependencies.passwords.hash(PASSWORD, '192.0.2.1');
  await api.store.sql`update accounts set password_hash = ${passwordHash} where id = ${accountId}`;
  await api.call('get', '/v1/me', { session }).expect(200);
}

/** An account with everything that access may be left in. */
async function openSetUpAccount() {
  const account = await openAccount(api);
  const apiKey = await openApiKey(api, account);
  await setPassword(account);
  await openWallet(api, account);
  const { session } = account;
  await api.call('post', '/v1/webhooks', { session, body: { url: 'https://shop.test/hook' } }).expect(201);
  const pending = { currency: 'LTC', xpub: LTC_KEY };
  await api.call('post', '/v1/wallets', { session, body: pending }).expect(201);
  return { ...account, apiKey };
}
const LTC_KEY =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

describe('a password reset', () => {
  it('answers an unknown email exactly like a known one, and mails only the known one', async () => {
    const [known, unknown] = [await register(), newEmail()];
    const [first, second] = [
      await post('forgot-password', { email: known }),
      await post('forgot-password', { email: unknown }),
    ];
    expectAnswer(first, 'forgotPassword', 200);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(await linkIn('reset_password', known)).not.toBeNull();
    expect(await linkIn('reset_password', unknown)).toBeNull();
  });

  it('sets the password once, ends all sessions and notifies the owner', async () => {
    const email = await register();
    await verify(email);
    const session = await logIn(email);
    const token = await resetLink(email);
    expectAnswer(await post('reset-password', { token, new_password: NEW_PASSWORD }), 'resetPassword', 200);
    expectProblem(await api.call('get', '/v1/me', { session }), 401, 'unauthorized');
    expectProblem(await post('login', { email, password: PASSWORD }), 401, 'invalid_credentials');
    await logIn(email, NEW_PASSWORD);
    expectProblem(
      await post('reset-password', { token, new_password: 'and another one' }),
      410,
      'link_expired',
    );
    expect(await mailsTo(email)).toContain('password_changed');
  });

  it('of a verified address leaves keys, endpoint, overlay and pending wallets as they are', async () => {
    const account = await openSetUpAccount();
    await verify(account.email);
    const token = await resetLink(account.email);
    expectAnswer(await post('reset-password', { token, new_password: NEW_PASSWORD }), 'resetPassword', 200);
    const session = await logIn(account.email, NEW_PASSWORD);
    await api.call('get', '/v1/invoices', { apiKey: account.apiKey }).expect(200);
    const { project } = (await api.call('get', '/v1/me', { session })).body;
    expect(project).toMatchObject({
      overlay_token: account.overlayToken,
      webhook: { url: 'https://shop.test/hook' },
    });
    expect(project.wallets.map((wallet: { currency: string }) => wallet.currency)).toEqual(['BTC', 'LTC']);
  });

  it('that is the first proof of an address revokes all access that a stranger may have', async () => {
    const account = await openSetUpAccount();
    const logo = await useLogo(account);
    const token = await resetLink(account.email);
    expectAnswer(await post('reset-password', { token, new_password: NEW_PASSWORD }), 'resetPassword', 200);
    await api.call('get', `/v1/public/uploads/${logo}`).expect(404);
    expectProblem(await api.call('get', '/v1/me', { session: account.session }), 401, 'unauthorized');
    expectProblem(await api.call('get', '/v1/invoices', { apiKey: account.apiKey }), 401, 'unauthorized');
    const session = await logIn(account.email, NEW_PASSWORD);
    const { account: own, project } = (await api.call('get', '/v1/me', { session })).body;
    expect(own.email_verified).toBe(true);
    expect(project.webhook).toBeNull();
    expect(project.overlay_token).not.toBe(account.overlayToken);
    expect(project.wallets.map((wallet: { currency: string }) => wallet.currency)).toEqual(['BTC']);
  });

  it('refuses a weak password without using the link up', async () => {
    const email = await register();
    const token = await resetLink(email);
    const local = email.split('@')[0]!;
    for (const weak of ['password1', `${local} is me`, 'short'])
      expectProblem(await post('reset-password', { token, new_password: weak }), 422, 'validation_error');
    expectAnswer(await post('reset-password', { token, new_password: NEW_PASSWORD }), 'resetPassword', 200);
  });

  it('succeeds for one of two concurrent uses of the same account’s links', async () => {
    const email = await register();
    const tokens = [await resetLink(email), await resetLink(email)];
    const responses = await Promise.all(
      tokens.map((token) => post('reset-password', { token, new_password: NEW_PASSWORD })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 410]));
  });

  it('is mailed five times an hour at most', async () => {
    const email = await register();
    for (let n = 0; n < 7; n += 1) await post('forgot-password', { email }).expect(200);
    expect((await mailsTo(email)).filter((kind) => kind === 'reset_password')).toHaveLength(5);
  });

  it('is limited by network', async () => {
    const strict = await startApi({ beside: api, env: { ...MAIL, MAIL_LINK_LIMIT_POINTS: '2' } });
    try {
      const ask = () =>
        strict.call('post', '/v1/auth/forgot-password', { body: { email: newEmail() }, from: '93.184.1.1' });
      expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
    } finally {
      await strict.close();
    }
  });
});

/** Uploads a logo and shows it on the payment pages. */
async function useLogo({ session }: TestAccount): Promise<string> {
  const { body } = await api
    .call('post', '/v1/uploads?kind=logo', { session })
    .set('Content-Type', 'application/octet-stream')
    .send(samplePicture('png'));
  await api.call('patch', '/v1/branding', { session, body: { logo: body.id } }).expect(200);
  await api.call('get', `/v1/public/uploads/${body.id}`).expect(200);
  return String(body.id);
}

async function requestChange(email: string, to: string): Promise<string> {
  const session = await logIn(email);
  const body = { current_password: PASSWORD, new_email: to };
  expectAnswer(await post('change-email', body, session), 'changeEmail', 200);
  return session;
}
const confirm = (token: string | null) => post('confirm-email', { token });

describe('a change of email', () => {
  it('takes effect once both addresses have confirmed it, in any order', async () => {
    for (const order of [
      ['confirm_old_email', 'confirm_new_email'],
      ['confirm_new_email', 'confirm_old_email'],
    ] as const) {
      const [email, to] = [await register(), newEmail()];
      await verify(email);
      const session = await requestChange(email, to);
      expect(await accountOf(session)).toMatchObject({ email, new_email: to });
      const address = { confirm_old_email: email, confirm_new_email: to };
      const first = await confirm(await linkIn(order[0], address[order[0]]));
      expectAnswer(first, 'confirmEmail', 200);
      expect(first.body).toEqual({ changed: false });
      expect((await accountOf(session)).email).toBe(email);
      const second = await confirm(await linkIn(order[1], address[order[1]]));
      expect(second.body).toEqual({ changed: true });
      expect(await accountOf(session)).toMatchObject({ email: to, email_verified: true, new_email: null });
      await logIn(to);
      expect(await mailsTo(email)).toContain('email_changed');
    }
  });

  it('needs the password', async () => {
    const email = await register();
    const body = { current_password: 'wrong horse', new_email: newEmail() };
    expectProblem(await post('change-email', body, await logIn(email)), 401, 'invalid_credentials');
  });

  it('of an address that was never verified needs only the new one', async () => {
    const [email, to] = [await register(), newEmail()];
    await requestChange(email, to);
    expect(await mailsTo(email)).not.toContain('confirm_old_email');
    expect((await confirm(await linkIn('confirm_new_email', to))).body).toEqual({ changed: true });
    await logIn(to);
  });

  it('to an address with an account answers as usual, sends no link, and cannot be completed', async () => {
    const [email, taken, raced] = [await register(), await register(), newEmail()];
    await requestChange(email, taken);
    expect(await linkIn('confirm_new_email', taken)).toBeNull();
    await requestChange(email, raced);
    const token = await linkIn('confirm_new_email', raced);
    await register(raced);
    expectProblem(await confirm(token), 409, 'email_taken');
    await logIn(email);
  });

  it('is replaced by a later one and cancelled by a password reset', async () => {
    const [email, first, second] = [await register(), newEmail(), newEmail()];
    await verify(email);
    await requestChange(email, first);
    const [old, mistaken] = [
      await linkIn('confirm_old_email', email),
      await linkIn('confirm_new_email', first),
    ];
    await requestChange(email, second);
    expectProblem(await confirm(old), 410, 'link_expired');
    expectProblem(await confirm(mistaken), 410, 'link_expired');
    const token = await linkIn('confirm_old_email', email);
    const reset = await resetLink(email);
    await post('reset-password', { token: reset, new_password: PASSWORD }).expect(200);
    expectProblem(await confirm(token), 410, 'link_expired');
  });

  it('ends reset links that the former address received', async () => {
    const [email, to] = [await register(), newEmail()];
    const reset = await resetLink(email);
    await requestChange(email, to);
    await confirm(await linkIn('confirm_new_email', to)).expect(200);
    expectProblem(
      await post('reset-password', { token: reset, new_password: NEW_PASSWORD }),
      410,
      'link_expired',
    );
  });
});

it('without MAIL_URL everything else works, and what needs mail says so', async () => {
  const silent = await startApi({ beside: api });
  try {
    const email = newEmail();
    const ask = (path: string, body: object, session?: string) =>
      silent.call('post', `/v1/auth/${path}`, { body, ...(session === undefined ? {} : { session }) });
    expectAnswer(await ask('register', { email, password: PASSWORD }), 'register', 201);
    const { session_token: session } = (await ask('login', { email, password: PASSWORD })).body;
    const { account } = (await silent.call('get', '/v1/me', { session })).body;
    expect(account).toMatchObject({ mail_enabled: false, email_verified: false });
    expectProblem(await ask('forgot-password', { email }), 409, 'mail_not_configured');
    const change = { current_password: PASSWORD, new_email: newEmail() };
    expectProblem(await ask('change-email', change, session), 409, 'mail_not_configured');
    expectProblem(
      await silent.call('post', '/v1/auth/resend-verification', { session }),
      409,
      'mail_not_configured',
    );
  } finally {
    await silent.close();
  }
});
