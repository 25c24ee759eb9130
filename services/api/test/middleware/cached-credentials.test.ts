import { samplePicture } from '@paywatch/dev/testing';
import { OPERATIONS, type Operation, type OperationId } from '@paywatch/domain/contract';
import { hashPassword, sha256 } from '@paywatch/runtime/security';
import { waitUntil } from '@paywatch/dev/testing';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import {
  expectProblem,
  openAccount,
  openApiKey,
  openSession,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { addMember } from '../support/members.ts';
import { accountIdOf, openOperator } from '../support/operators.ts';
import { openWallet } from '../support/wallet.ts';

const SELLER = 'seller@example.com';
const env = {
  WEBHOOK_ALLOWED_HOSTS: 'shop.test',
  SUBSCRIPTION_SELLER: SELLER,
  SUBSCRIPTION_PRICE_BTC: '0.0003',
  MAIL_URL: 'smtp://mail.example',
};
const nowMs = Date.now();
const api = await sharedApi({ env });
/** Its clock stands still, so that what it caches stays valid however slow the machine is. */
const frozen = await sharedApi({ beside: api, env, clock: { nowMs: () => nowMs } });

const seller = await openAccount(api);
await api.store.sql`update accounts set email = ${SELLER} where id = ${seller.accountId}`;
await openWallet(api, seller);

type Changing = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends { method: 'get' } | { auth: 'none' } ? never : Id;
}[OperationId];

const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

const INVITATION_TOKEN = 'of an invitation to the account';

/** A valid request of every operation that changes something; a new operation must be added. */
const REQUESTS: Readonly<Record<Exclude<Changing, 'logout'>, object | undefined>> = {
  logoutAll: undefined,
  changePassword: { current_password: 'correct horse battery', new_password: 'another long passphrase' },
  resendVerification: undefined,
  changeEmail: { current_password: 'correct horse battery', new_email: 'thief@example.com' },
  deleteAccount: { current_password: 'correct horse battery' },
  updateNotices: { wallet_changed: false },
  updateProject: { name: 'Taken over' },
  createProject: { name: 'Taken over' },
  inviteMember: { email: 'thief@example.com', role: 'owner' },
  cancelInvitation: undefined,
  acceptInvitation: { token: INVITATION_TOKEN },
  leaveProject: undefined,
  updateMember: { role: 'owner' },
  removeMember: undefined,
  rotateProjectToken: undefined,
  createApiKey: {},
  revokeApiKey: undefined,
  endSession: undefined,
  logoutOthers: undefined,
  confirmPassword: { current_password: 'correct horse battery' },
  reauthenticate: { code: '123456' },
  addSecondFactor: { name: 'Taken over', current_password: 'correct horse battery' },
  confirmSecondFactor: { code: '123456' },
  startReauthentication: undefined,
  startPasskey: { current_password: 'correct horse battery' },
  addPasskey: {
    name: 'Taken over',
    passkey: {
      id: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
    },
  },
  renameSecondFactor: { name: 'Taken over' },
  removeSecondFactor: undefined,
  replaceRecoveryCodes: undefined,
  createPurchase: { currency: 'BTC' },
  createWallet: { currency: 'BTC', xpub: ZPUB },
  verifyWallet: { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' },
  updateWallet: { gap_limit: 100 },
  cancelWalletChange: undefined,
  updateWalletChangeDelay: { seconds: 2_592_000 },
  setWebhook: { url: 'https://shop.test/taken-over' },
  testWebhook: { type: 'invoice.confirmed' },
  createWebhookEndpoint: { url: 'https://shop.test/taken-over' },
  updateWebhookEndpoint: { disabled: true },
  deleteWebhookEndpoint: undefined,
  rotateWebhookSecret: undefined,
  replayWebhookEvents: { from: '2026-11-19T00:00:00Z' },
  redeliverEvent: undefined,
  createInvoice: { currency: 'BTC', type: 'order', expected_amount: '150000' },
  extendInvoice: undefined,
  createPaymentLink: { title: 'Taken over' },
  updatePaymentLink: { disabled: true },
  deletePaymentLink: undefined,
  rotatePaymentLinkToken: undefined,
  updateModeration: { hold: 'all' },
  updateDonationPage: { text: 'Hello' },
  updateBranding: { terms_url: 'https://shop.example/terms' },
  updateOverlaySettings: { theme: 'light' },
  updateOverlaySources: { goal: null },
  testOverlay: undefined,
  createUpload: undefined,
  deleteUpload: undefined,
  unlockOperatorAccount: { reason: 'Taken over' },
  setOperatorSubscription: { until: '2100-01-01T00:00:00Z' },
  setOperatorAddressLimit: { addresses: 50_000 },
  retryParkedInvoice: undefined,
};

describe('a deleted credential that is still cached cannot be used for', () => {
  it.each(Object.entries(REQUESTS))('%s', async (id, body) => {
    const account = await openOperator(api);
    await api
      .call('post', '/v1/wallets', { session: account.session, body: REQUESTS.createWallet })
      .expect(201);
    await api.call('post', '/v1/webhooks', { session: account.session, body: { url: 'https://shop.test/' } });
    const passwordHash = await hashPassword('correct horse battery');
    await api.store.sql`update accounts set password_hash = ${passwordHash} where id = ${account.accountId}`;
    const session = await openSession(api, account.accountId, passwordHash);
    const factor = await addFactor(session);
    await cacheForGood(session);
    await api.store.sql`delete from sessions where token_hash = ${sha256(session)}`;
    await frozen.call('get', '/v1/stats', { session }).expect(200);

    const operation: Operation = OPERATIONS[id as Changing];
    const path = pathOf(operation, {
      keyPublic: await keyOf(account),
      endpointId: await endpointOf(account),
      linkId: await linkOf(account),
      uploadId: await uploadOf(account),
      factorId: factor.factorId,
      sessionId: await otherSessionOf(account),
      ...(await peopleOf(account)),
      accountId: await accountIdOf(api, account),
    });
    const before = await stateOf(account);
    const known: Record<string, object> = {
      confirmSecondFactor: { code: factor.code },
      deleteAccount: { ...body, email: account.email },
    };
    const sent = known[id] ?? body;
    const call = frozen.call(operation.method, path, { session, ...(sent && { body: sent }) });
    if (operation.upload)
      call
        .query({ kind: 'image' })
        .set('Content-Type', 'application/octet-stream')
        .send(samplePicture('png'));
    const response = await call;
    expect(response.status).toBe(401);
    expect(await stateOf(account)).toEqual(before);
  });
});

it('a cache entry with a wrong MAC, for another token or with another scope is ignored', async () => {
  const account = await openAccount(api);
  const cacheEntry = async (apiKey: string) => {
    await frozen.call('get', '/v1/stats', { apiKey }).expect(200);
    const key = api.store.keys.apiKey(
      account.projectId,
      sha256(apiKey.split('_').at(-1) ?? '').toString('hex'),
    );
    return { key, entry: await waitUntil(async () => api.store.redis.get(key), { what: 'the cached key' }) };
  };
  const apiKey = await openApiKey(api, account, 'invoices');
  const { key, entry } = await cacheEntry(apiKey);
  const json = entry.slice(0, entry.lastIndexOf('.'));
  const mac = entry.slice(json.length);

  const forged = json.replace('"scope":"invoices"', '"scope":"full"');
  expect(forged).not.toBe(json);
  const { entry: ofAnother } = await cacheEntry(await openApiKey(api, account, 'full'));
  for (const text of [
    ofAnother,
    forged,
    `${forged}${mac}`,
    `${forged}.`,
    json,
    '{}',
    '.',
    'x'.repeat(5000),
  ]) {
    await api.store.redis.set(key, text);
    const wallet = await frozen.call('post', '/v1/wallets', { apiKey, body: REQUESTS.createWallet });
    expectProblem(wallet, 403, 'forbidden');
  }
});

/** Caches the session in the replica and lets the Redis entry never expire, as an attacker with write access could. */
async function cacheForGood(session: string): Promise<void> {
  const key = api.store.keys.session(sha256(session).toString('hex'));
  await waitUntil(
    async () => {
      await frozen.call('get', '/v1/stats', { session }).expect(200);
      const entry = await api.store.redis.get(key);
      return entry !== null && (await api.store.redis.set(key, entry)) === 'OK';
    },
    { what: 'the cached session' },
  );
}

async function keyOf(account: TestAccount): Promise<string> {
  return (await openApiKey(api, account)).split('_')[1] ?? '';
}

async function endpointOf({ session }: TestAccount): Promise<string> {
  const { body } = await api.call('get', '/v1/webhook-endpoints', { session });
  return body.data[0].id;
}

async function linkOf({ session }: TestAccount): Promise<string> {
  const body = { title: 'Ticket' };
  return (await api.call('post', '/v1/payment-links', { session, body }).expect(201)).body.id;
}

async function uploadOf({ session }: TestAccount): Promise<string> {
  const sent = api
    .call('post', '/v1/uploads?kind=image', { session })
    .set('Content-Type', 'application/octet-stream')
    .send(samplePicture('png'));
  return (await sent.expect(201)).body.id;
}

/** An authenticator app that waits to be confirmed, and its present code. */
async function addFactor(session: string): Promise<{ factorId: string; code: string }> {
  const body = REQUESTS.addSecondFactor;
  const { body: added } = await api.call('post', '/v1/second-factors', { session, body }).expect(201);
  const app = new TOTP({ secret: Secret.fromBase32(String(added.secret)) });
  return { factorId: String(added.factor_id), code: app.generate({ timestamp: nowMs }) };
}

/** The id of the session that the account began with. */
async function otherSessionOf({ accountId, session }: TestAccount): Promise<string> {
  const [row] = await api.store.sql<{ id: string }[]>`
    select public_id as id from sessions where account_id = ${accountId} and token_hash = ${sha256(session)}`;
  return row?.id ?? '';
}

/** A member of the account's project, an invitation to it, and an invitation of the account to the project of somebody else. */
async function peopleOf({ accountId, projectId, email }: TestAccount) {
  const other = await openAccount(api);
  const { sql } = api.store;
  await addMember(api, { projectId }, other, 'support');
  const [member] = await sql<{ id: string }[]>`
    select public_id as id from project_members where project_id = ${projectId}`;
  const invite = async (to: bigint, invited: string, by: bigint) => {
    const [row] = await sql<{ id: bigint; publicId: string }[]>`
      insert into project_invitations (project_id, email, role, invited_by, expires_at)
      values (${to}, ${invited}, 'support', ${by}, now() + interval '1 day') returning id, public_id as "publicId"`;
    return row!;
  };
  const invitation = await invite(projectId, 'colleague@example.com', accountId);
  const received = await invite(other.projectId, email, other.accountId);
  await sql`delete from email_tokens where token_hash = ${sha256(INVITATION_TOKEN)}`;
  await sql`
    insert into email_tokens (token_hash, account_id, purpose, email, invitation_id, expires_at)
    values (${sha256(INVITATION_TOKEN)}, ${other.accountId}, 'invitation', ${email}, ${received.id}, now() + interval '1 day')`;
  return { memberId: member?.id ?? '', invitationId: invitation.publicId };
}

type PathIds = Record<
  | 'keyPublic'
  | 'endpointId'
  | 'factorId'
  | 'sessionId'
  | 'linkId'
  | 'uploadId'
  | 'memberId'
  | 'invitationId'
  | 'accountId',
  string
>;

function pathOf({ path }: Operation, ids: PathIds): string {
  return path
    .replace('{publicId}', 'inv_1111111111111111')
    .replace('{id}', 'evt_1111111111111111')
    .replace('{keyPublic}', ids.keyPublic)
    .replace('{endpointId}', ids.endpointId)
    .replace('{factorId}', ids.factorId)
    .replace('{sessionId}', ids.sessionId)
    .replace('{linkId}', ids.linkId)
    .replace('{uploadId}', ids.uploadId)
    .replace('{memberId}', ids.memberId)
    .replace('{invitationId}', ids.invitationId)
    .replace('{accountId}', ids.accountId)
    .replace('{currency}', 'BTC')
    .replace('{kind}', 'donate');
}

/** Everything that the operations could have changed. */
async function stateOf({ accountId, projectId }: TestAccount): Promise<object> {
  const [state] = await api.store.sql<object[]>`
    select
      (select to_jsonb(a) from accounts a where a.id = ${accountId}) as account,
      (select jsonb_agg(p order by p.id) from projects p where p.account_id = ${accountId}) as projects,
      (select count(*)::int from api_keys k where k.project_id = ${projectId} and k.revoked_at is not null) as keys,
      (select jsonb_agg(w order by w.id) from wallets w where w.project_id = ${projectId}) as wallets,
      (select jsonb_agg(w) from webhook_endpoints w where w.owner_id = ${projectId}) as endpoints,
      (select count(*)::int from email_changes c where c.account_id = ${accountId}) as changes,
      (select jsonb_agg(f) from second_factors f where f.account_id = ${accountId}) as factors,
      (select count(*)::int from passkey_challenges) as challenges,
      (select count(*)::int from recovery_codes c where c.account_id = ${accountId}) as codes,
      (select count(*)::int from mails m where m.account_id = ${accountId}) as mails,
      (select count(*)::int from sessions s where s.account_id = ${accountId}) as sessions,
      (select jsonb_agg(u.public_id) from uploads u where u.project_id = ${projectId}) as uploads,
      (select jsonb_agg(l) from payment_links l where l.project_id = ${projectId}) as links,
      (select count(*)::int from invoices i where i.project_id = ${projectId}) as invoices,
      (select count(*)::int from subscription_purchases s where s.project_id = ${projectId}) as purchases,
      (select jsonb_agg(m order by m.id) from project_members m
        where m.project_id = ${projectId} or m.account_id = ${accountId}) as members,
      (select jsonb_agg(i order by i.id) from project_invitations i where i.project_id = ${projectId}) as invitations,
      (select count(*)::int from events e where e.project_id = ${projectId}) as events,
      (select count(*)::int from overlay_donations d where d.project_id = ${projectId}) as donations`;
  if (!state) throw new Error('one row');
  return state;
}
