import { randomBase58, sha256 } from '@paywatch/runtime/security';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, sharedApi } from '../support/api.ts';
import { BIP84 } from '../support/wallet-keys.ts';

/* Changes of accounts without a second factor: the pages give the password again, programs do not. */

const api = await sharedApi({ env: { WEBHOOK_ALLOWED_HOSTS: 'shop.test', MAIL_URL: 'smtp://127.0.0.1:1' } });

const PASSWORD = 'correct horse battery';
const PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Paywatch-Page': 'account' };

type Page = { cookie: string; session: string };
type Method = 'get' | 'post' | 'patch' | 'delete';
type Change = readonly [Method, string, object?];

async function openPage(): Promise<Page> {
  const body = { email: `${randomBase58(8).toLowerCase()}@example.com`, password: PASSWORD };
  await api.call('post', '/v1/auth/register', { body }).expect(201);
  const response = await api.call('post', '/v1/auth/login', { body }).set(PAGE);
  expectAnswer(response, 'login', 200);
  const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, session: String(response.body.session_token) };
}

const fromPage = ({ cookie }: Page, [method, path, body]: Change) =>
  api.call(method, path, { ...(body && { body }) }).set({ ...PAGE, Cookie: cookie });
const fromProgram = ({ session }: Page, [method, path, body]: Change) =>
  api.call(method, path, { session, ...(body && { body }) });

/** As if the session had been opened, and the password last been given, eleven minutes ago. */
async function outdate({ session }: Page): Promise<void> {
  await api.store.sql`
    update sessions set created_at = created_at - interval '11 minutes', password_at = password_at - interval '11 minutes'
    where token_hash = ${sha256(session)}`;
}

const confirmPassword = (page: Page, password = PASSWORD) =>
  fromPage(page, ['post', '/v1/auth/confirm-password', { current_password: password }]);

const FACTOR_ID = '00000000-0000-4000-8000-000000000000';

/** What a thief at an unlocked browser would change. */
const DANGEROUS: Record<string, Change> = {
  createWallet: ['post', '/v1/wallets', { currency: 'BTC', xpub: BIP84.zpub }],
  verifyWallet: ['post', '/v1/wallets/BTC/verify', { address: BIP84.receive[0] }],
  updateWallet: ['patch', '/v1/wallets/BTC', { gap_limit: 30 }],
  setWebhook: ['post', '/v1/webhooks', { url: 'https://shop.test/' }],
  createWebhookEndpoint: ['post', '/v1/webhook-endpoints', { url: 'https://shop.test/' }],
  updateWebhookEndpoint: ['patch', '/v1/webhook-endpoints/we_1', { url: 'https://shop.test/' }],
  rotateWebhookSecret: ['post', '/v1/webhook-endpoints/we_1/rotate-secret'],
  deleteWebhookEndpoint: ['delete', '/v1/webhook-endpoints/we_1'],
  updateProject: ['patch', '/v1/project', { donor_texts_days: 30 }],
  exportAccount: ['get', '/v1/account/export'],
  createApiKey: ['post', '/v1/api-keys'],
  inviteMember: ['post', '/v1/members/invitations', { email: 'thief@example.com', role: 'owner' }],
  updateMember: ['patch', `/v1/members/${FACTOR_ID}`, { role: 'owner' }],
  removeMember: ['delete', `/v1/members/${FACTOR_ID}`],
  updateBranding: ['patch', '/v1/branding', { accent_color: '#6441a5' }],
  revokeApiKey: ['delete', '/v1/api-keys/unknown'],
  renameSecondFactor: ['patch', `/v1/second-factors/${FACTOR_ID}`, { name: 'Mine' }],
  removeSecondFactor: ['delete', `/v1/second-factors/${FACTOR_ID}`],
  replaceRecoveryCodes: ['post', '/v1/recovery-codes'],
  endSession: ['delete', '/v1/sessions/00000000-0000-4000-8000-000000000000'],
  logoutOthers: ['post', '/v1/auth/logout-others'],
  unlockOperatorAccount: ['post', '/v1/operator/accounts/{own}/unlock', { reason: 'Mine' }],
  setOperatorSubscription: [
    'post',
    '/v1/operator/accounts/{own}/subscription',
    { until: '2100-01-01T00:00:00Z' },
  ],
  setOperatorAddressLimit: ['post', '/v1/operator/accounts/{own}/address-limit', { addresses: 50_000 }],
  retryParkedInvoice: ['post', '/v1/operator/parked-invoices/inv_1111111111111111/retry'],
};

/** A wallet, a verified address or an operator's account, where the change needs one. */
async function prepare(page: Page, name: string): Promise<void> {
  await api.store.sql`
    update accounts set is_operator = true
    where id = (select account_id from sessions where token_hash = ${sha256(page.session)})`;
  if (name === 'inviteMember')
    await api.store.sql`
      update accounts set email_verified_at = now()
      where id = (select account_id from sessions where token_hash = ${sha256(page.session)})`;
  const { createWallet, verifyWallet } = DANGEROUS;
  if (name !== 'verifyWallet' && name !== 'updateWallet') return;
  if (createWallet) await fromPage(page, createWallet).expect(201);
  if (name === 'updateWallet' && verifyWallet) await fromPage(page, verifyWallet).expect(200);
}

/** The id of the account, as the operator's area names it. */
async function ownIdOf({ session }: Page): Promise<string> {
  const [account] = await api.store.sql<{ id: string }[]>`
    select a.public_id as id from accounts a join sessions s on s.account_id = a.id
    where s.token_hash = ${sha256(session)}`;
  return account?.id ?? '';
}

describe('a page whose password was given long ago', () => {
  it.each(Object.entries(DANGEROUS))(
    'cannot use %s until it is given again',
    async (name, [method, path, body]) => {
      const page = await openPage();
      await prepare(page, name);
      const own = path.replace('{own}', await ownIdOf(page));
      const change: Change = body === undefined ? [method, own] : [method, own, body];
      await outdate(page);
      expectProblem(await fromPage(page, change), 403, 'password_required');
      const confirmed = await confirmPassword(page);
      expectAnswer(confirmed, 'confirmPassword', 200);
      const untilMs = Date.parse(confirmed.body.valid_until) - Date.now();
      expect(untilMs).toBeGreaterThan(590_000);
      expect(untilMs).toBeLessThanOrEqual(600_000);
      expect((await fromPage(page, change)).status).not.toBe(403);
    },
  );

  it('reads as before, and changes what is not dangerous', async () => {
    const page = await openPage();
    await outdate(page);
    expectAnswer(await fromPage(page, ['get', '/v1/me']), 'getMe', 200);
    expectAnswer(await fromPage(page, ['patch', '/v1/project', { name: 'Shop' }]), 'updateProject', 200);
  });

  it('gives it with the changes that ask for it themselves', async () => {
    const page = await openPage();
    await outdate(page);
    const email = { current_password: PASSWORD, new_email: 'other@example.com' };
    expectAnswer(await fromPage(page, ['post', '/v1/auth/change-email', email]), 'changeEmail', 200);
    const factor = { name: 'Phone', current_password: PASSWORD };
    expectAnswer(await fromPage(page, ['post', '/v1/second-factors', factor]), 'addSecondFactor', 201);
    const next = { current_password: PASSWORD, new_password: 'another long passphrase' };
    expectAnswer(await fromPage(page, ['post', '/v1/auth/change-password', next]), 'changePassword', 200);
  });
});

it('the login counts as giving the password', async () => {
  const page = await openPage();
  expectAnswer(await fromPage(page, ['post', '/v1/api-keys']), 'createApiKey', 201);
});

it('a program with the bearer token of an old login is not asked', async () => {
  const page = await openPage();
  await outdate(page);
  expectAnswer(await fromProgram(page, ['post', '/v1/api-keys']), 'createApiKey', 201);
});

describe('giving the password', () => {
  it('counts for ten minutes', async () => {
    const page = await openPage();
    await confirmPassword(page).expect(200);
    expectAnswer(await fromPage(page, ['post', '/v1/api-keys']), 'createApiKey', 201);
    await outdate(page);
    expectProblem(await fromPage(page, ['post', '/v1/api-keys']), 403, 'password_required');
  });

  it('counts for its own session only', async () => {
    const [one, two] = [await openPage(), await openPage()];
    for (const page of [one, two]) await outdate(page);
    await confirmPassword(one).expect(200);
    expectProblem(await fromPage(two, ['post', '/v1/api-keys']), 403, 'password_required');
  });

  it('allows nothing if it is wrong, and wrong ones are limited like logins', async () => {
    const page = await openPage();
    await outdate(page);
    let refused: Response = await confirmPassword(page, 'wrong horse battery');
    expectProblem(refused, 401, 'invalid_credentials');
    expectProblem(await fromPage(page, ['post', '/v1/api-keys']), 403, 'password_required');
    for (let i = 0; i < 5 && refused.status === 401; i += 1) refused = await confirmPassword(page, 'wrong');
    expectProblem(refused, 429, 'rate_limited');
  });

  it('is not enough for an account with a second factor', async () => {
    const page = await openPage();
    await api.store.sql`
      insert into second_factors (account_id, name, secret_sealed, confirmed_at)
      select account_id, 'App', 'x', now() from sessions where token_hash = ${sha256(page.session)}`;
    await confirmPassword(page).expect(200);
    expectProblem(await fromPage(page, ['post', '/v1/api-keys']), 403, 'reauthentication_required');
  });
});
