import { createPaywatch } from '@paywatch/client';
import { createSoftwarePasskey } from '@paywatch/dev/passkeys';
import { freePort } from '@paywatch/dev/servers';
import { serviceProgram, startStackService, type Stack } from '@paywatch/dev/stack';
import { sampleGif, sampleWav, waitUntil } from '@paywatch/dev/testing';
import { createMerchantWallet } from '@paywatch/dev/wallet';

import type { ErrorCode, PasskeyCreationView, PasskeyRequestView } from '@paywatch/domain/contract';
import type { Store } from '@paywatch/store';
import { maskVolatile } from './mask-volatile.ts';

/** The example of an error code and a real error response; values that differ between runs are masked in both. */
export type ReplayedProblem = { code: ErrorCode; documented: unknown; answered: unknown };

type Request = { headers?: Record<string, string>; body?: string | Buffer | object };
type Ask = (line: string, request?: Request) => Promise<Response>;
/** How to cause each code, in an order in which none prevents the next. */
type Provocations = Record<ErrorCode, () => Promise<Response>>;

/** Causes every error of which the OpenAPI document has an example, on its own stack. Stops its Postgres at the end. */
export async function replayProblems(stack: Stack, store: Store): Promise<ReplayedProblem[]> {
  const examples = await readProblems(stack.url);
  const replayed: ReplayedProblem[] = [];
  for (const [code, provoke] of Object.entries(await provocations(stack, store))) {
    const response = await provoke();
    const answered = maskVolatile(await response.json());
    replayed.push({ code: code as ErrorCode, documented: maskVolatile(examples.get(code)), answered });
  }
  return replayed;
}

async function provocations(stack: Stack, store: Store): Promise<Provocations> {
  const ask = asker(stack.url);
  const { owner, session, key, invoicesKey } = await openShop(stack.url);
  const wallet = createMerchantWallet('BTC');
  const order = { currency: 'BTC', type: 'order', expected_amount: '200000' } as const;
  const create = (body: object, headers: object = {}) =>
    ask('POST /v1/invoices', { headers: { ...key, ...headers }, body });
  const uploadFile = (kind: 'image' | 'sound', body: string | Buffer) =>
    ask(`POST /v1/uploads?kind=${kind}`, {
      headers: { ...session, 'content-type': 'application/octet-stream' },
      body,
    });
  const testWebhook = () => ask('POST /v1/webhooks/test', { headers: key });
  const paid = async (): Promise<string> => {
    const { public_id, address } = await owner.invoices.create(order);
    await stack.payers.BTC.pay(address, 200_000n);
    await stack.payers.BTC.mine();
    const isConfirmed = async () => (await owner.invoices.get(public_id)).status === 'confirmed';
    await waitUntil(isConfirmed, { what: 'the payment to be confirmed' });
    return public_id;
  };

  return {
    malformed_json: () => ask('POST /v1/auth/register', { body: '{' }),
    unauthorized: () => ask('GET /v1/me'),
    invalid_credentials: () => ask('POST /v1/auth/login', { body: { ...ACCOUNT, password: 'wrong horse' } }),
    not_found: () => ask('GET /v1/nothing'),
    method_not_allowed: () => ask('PUT /v1/me'),
    payload_too_large: () => ask('POST /v1/auth/register', { body: { email: 'x'.repeat(70_000) } }),
    unsupported_media_type: () =>
      ask('POST /v1/auth/register', { headers: { 'content-type': 'text/plain' }, body: 'hello' }),
    validation_error: () => create({ currency: 'BTC', type: 'order' }),
    project_not_found: () =>
      ask('GET /v1/invoices', { headers: { ...session, 'paywatch-project': `prj_${'0'.repeat(32)}` } }),
    too_many_projects: async () => {
      await store.sql`
        insert into projects (account_id, donate_token, overlay_token)
        select id, 'full' || n, 'full' || n from accounts, generate_series(1, 9) n where email = ${ACCOUNT.email}`;
      return ask('POST /v1/projects', { headers: session, body: { name: 'One more' } });
    },
    ...memberProblems(ask, store, session),
    key_not_found: () => ask('DELETE /v1/api-keys/23456789', { headers: session }),
    invoice_not_found: () => ask('GET /v1/invoices/inv_1', { headers: key }),
    endpoint_not_found: () => ask('GET /v1/webhook-endpoints/we_1', { headers: key }),
    event_not_found: () => ask('GET /v1/events/evt_1', { headers: key }),
    wallet_not_found: () =>
      ask('POST /v1/wallets/BTC/verify', { headers: key, body: { address: wallet.addressAt(0) } }),
    wallet_change_not_found: () => ask('POST /v1/wallets/BTC/cancel-change', { headers: key }),
    wallet_not_verified: () => create(order),
    address_mismatch: async () => {
      const { currency, xpub, scriptType: script_type, derivationPath: derivation_path } = wallet;
      await owner.wallets.create({ currency, xpub, script_type, derivation_path });
      const address = createMerchantWallet('BTC').addressAt(0);
      return ask('POST /v1/wallets/BTC/verify', { headers: key, body: { address } });
    },
    webhook_not_configured: testWebhook,
    webhook_disabled: async () => {
      await owner.webhooks.set({ url: stack.receiver.url });
      stack.receiver.script({ status: 410 });
      await owner.webhooks.test();
      const isDisabled = async () => (await owner.account.me()).project.webhook?.status === 'disabled';
      await waitUntil(isDisabled, { what: 'the endpoint to be disabled' });
      return testWebhook();
    },
    too_many_endpoints: () =>
      until(409, () => {
        const body = { url: stack.receiver.url, event_types: ['invoice.expired'] };
        return ask('POST /v1/webhook-endpoints', { headers: key, body });
      }),
    forbidden: () =>
      ask('POST /v1/webhooks', { headers: invoicesKey, body: { url: 'https://shop.example/mine' } }),
    already_extended: async () => {
      await owner.wallets.verify('BTC', { address: wallet.addressAt(0) });
      const { public_id } = await owner.invoices.create(order);
      await owner.invoices.extend(public_id);
      return ask(`POST /v1/invoices/${public_id}/extend`, { headers: key });
    },
    invoice_not_extendable: async () => ask(`POST /v1/invoices/${await paid()}/extend`, { headers: key }),
    idempotency_conflict: async () => {
      await owner.invoices.create({ ...order, order_id: 'one' });
      await owner.invoices.create({ ...order, order_id: 'two' }, { idempotencyKey: 'two' });
      return create({ ...order, order_id: 'one' }, { 'idempotency-key': 'two' });
    },
    payment_link_not_found: () => ask('GET /v1/payment-links/plink_1', { headers: key }),
    payment_link_closed: async () => {
      const { id, url } = await owner.paymentLinks.create({ title: 'Ticket' });
      await owner.paymentLinks.update(id, { disabled: true });
      return ask(`POST ${publicPath(url)}`, { body: { currency: 'BTC', amount: '200000' } });
    },
    sold_out: async () => {
      const { url } = await owner.paymentLinks.create({ title: 'Ticket', stock: 1 });
      return until(409, () =>
        ask(`POST ${publicPath(url)}`, { body: { currency: 'BTC', amount: '200000' } }),
      );
    },
    upload_not_found: () => ask('DELETE /v1/uploads/upl_1', { headers: session }),
    file_not_supported: () => uploadFile('image', '<svg/>'),
    file_too_large: () => uploadFile('image', 'x'.repeat(513 * 1024)),
    range_not_satisfiable: async () => {
      const { id } = (await (await uploadFile('image', sampleGif())).json()) as { id: string };
      return ask(`GET /v1/public/uploads/${id}`, { headers: { range: 'bytes=1000000-' } });
    },
    image_too_large: () => uploadFile('image', tooLarge()),
    sound_too_long: () => uploadFile('sound', sampleWav(10_001)),
    too_many_uploads: () => until(409, () => uploadFile('image', sampleGif())),
    too_many_payment_links: async () => {
      await store.sql`
        insert into payment_links (public_id, project_id, token, title)
        select 'plink_full' || n, project_id, 'full' || n, title
        from (select project_id, title from payment_links limit 1) link, generate_series(1, 100) n`;
      return ask('POST /v1/payment-links', { headers: key, body: { title: 'Ticket' } });
    },
    proof_of_work_required: async () => {
      const { project } = await owner.account.me();
      const link = `/v1/public/donate/${project.donate_token}`;
      const isScarce = async () => {
        await owner.invoices.create(order);
        return (await (await ask(`GET ${link}`)).text()).includes('"proof_of_work"');
      };
      await waitUntil(isScarce, { what: 'few free addresses' });
      return ask(`POST ${link}`, { body: { currency: 'BTC' } });
    },
    address_pool_busy: () => until(503, () => create(order)),
    link_expired: () => ask('POST /v1/auth/confirm-email', { body: { token: 'used before' } }),
    email_taken: async () => {
      const token = 'of a change to an address that registered meanwhile';
      await takeEmail(store, token);
      return ask('POST /v1/auth/confirm-email', { body: { token } });
    },
    ...(await secondFactorProblems(ask, store)),
    ...(await passkeyProblems(ask)),
    passkeys_unavailable: () =>
      askOtherReplica(stack, { PUBLIC_URL: 'http://127.0.0.1' }, 'POST /v1/auth/login/passkey/options'),
    mail_not_configured: () => {
      const request = { body: { email: ACCOUNT.email } };
      return askOtherReplica(stack, { MAIL_URL: '' }, 'POST /v1/auth/forgot-password', request);
    },
    fee_unavailable: () => ask('GET /v1/public/fee/LTC'),
    rate_unavailable: async () => {
      await store.sql`update exchange_rates set withheld = 'jump', claimed_at = 'infinity'`;
      return until(503, () => ask('GET /v1/public/rates/BTC?in=EUR'));
    },
    subscription_inactive: async () => {
      const { email } = ACCOUNT;
      await store.sql`update projects set subscription_active_until = now() where account_id = (select id from accounts where email = ${email})`;
      return until(402, () => create(order));
    },
    rate_limited: () =>
      until(429, () => ask('POST /v1/auth/login', { body: { ...ACCOUNT, password: 'wrong horse' } })),
    internal_error: async () => {
      await store.sql`alter table api_keys rename to api_keys_away`;
      const response = await ask('GET /v1/api-keys', { headers: session });
      await store.sql`alter table api_keys_away rename to api_keys`;
      return response;
    },
    service_unavailable: async () => {
      await stack.postgres.kill();
      return ask('GET /v1/api-keys', { headers: session });
    },
  };
}

const ACCOUNT = { email: 'refused@example.com', password: 'correct horse battery' };

/** An account with a session and an API key of each scope, and a client with the key of scope `full`. */
async function openShop(baseUrl: string) {
  const stranger = createPaywatch({ baseUrl });
  await stranger.account.register(ACCOUNT);
  const { session_token: sessionToken } = await stranger.account.login(ACCOUNT);
  const { apiKeys } = createPaywatch({ baseUrl, sessionToken });
  const { token: apiKey } = await apiKeys.create();
  const { token: invoicesKey } = await apiKeys.create({ scope: 'invoices' });
  return {
    // The first addresses of a wallet are derived shortly after its verification.
    owner: createPaywatch({ baseUrl, apiKey, sessionToken, maxRetries: 10 }),
    session: { authorization: `Bearer ${sessionToken}` },
    key: { 'x-api-key': apiKey },
    invoicesKey: { 'x-api-key': invoicesKey },
  };
}

/** The refusals around members, invitations and the accounts that operators name. */
function memberProblems(ask: Ask, { sql }: Store, headers: Record<string, string>) {
  const invite = (email: string) =>
    ask('POST /v1/members/invitations', { headers, body: { email, role: 'support' } });
  const token = 'of an invitation to somebody else';
  return {
    email_not_verified: () => invite('colleague@example.com'),
    already_member: async () => {
      await sql`update accounts set email_verified_at = now() where email = ${ACCOUNT.email}`;
      return invite(ACCOUNT.email);
    },
    account_not_found: async () => {
      await sql`update accounts set is_operator = true where email = ${ACCOUNT.email}`;
      return ask(`GET /v1/operator/accounts/acc_${'0'.repeat(32)}`, { headers });
    },
    member_not_found: () => ask(`DELETE /v1/members/${NOBODY}`, { headers }),
    invitation_not_found: () => ask(`DELETE /v1/members/invitations/${NOBODY}`, { headers }),
    owner_stays: () => ask('DELETE /v1/members/me', { headers }),
    too_many_members: async () => {
      await inviteTwenty(sql, token);
      return invite('colleague@example.com');
    },
    invitation_for_other_email: () => ask('POST /v1/invitations/accept', { headers, body: { token } }),
  };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Writes as many invitations as a project may have, and the token of one of them. */
async function inviteTwenty(sql: Store['sql'], token: string): Promise<void> {
  await sql`
    with owner as (
      select a.id, min(p.id) as project_id from accounts a join projects p on p.account_id = a.id
      where a.email = ${ACCOUNT.email} group by a.id
    ), invited as (
      insert into project_invitations (project_id, email, role, invited_by, expires_at)
      select project_id, 'invited' || n || '@example.com', 'support', id, now() + interval '1 hour'
      from owner, generate_series(1, 20) n returning id, invited_by, email, expires_at
    )
    insert into email_tokens (token_hash, account_id, purpose, email, invitation_id, expires_at)
    select sha256(${token}::bytea), invited_by, 'invitation', email, id, expires_at from invited limit 1`;
}

/** The operation behind the page of a payment link. */
function publicPath(url: string): string {
  return `/v1/public/links/${url.split('/').at(-1)}`;
}

function asker(url: string): Ask {
  return (line, { headers, body } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return fetch(`${url}${path}`, {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    });
  };
}

function bodyOf(body: string | Buffer | object): string | Uint8Array<ArrayBuffer> {
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** A GIF whose header names 65,535 pixels on each side. */
function tooLarge(): Buffer {
  const gif = sampleGif();
  gif.writeUInt32LE(0xffffffff, 6);
  return gif;
}

/** Repeats a request until the response has this status: limits and pools are exhausted over time, and caches expire. */
function until(status: number, ask: () => Promise<Response>): Promise<Response> {
  const attempt = async () => {
    const response = await ask();
    return response.status === status ? response : undefined;
  };
  return waitUntil(attempt, { what: `a response with ${status}`, everyMs: 10 });
}

type Documented = {
  components: { responses: Record<string, { content: Record<string, { examples: object }> }> };
};

/** The examples of error responses by code. */
async function readProblems(url: string): Promise<Map<string, unknown>> {
  const { components } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as Documented;
  const examples = Object.values(components.responses).flatMap(({ content }) =>
    Object.values(content).flatMap((type) => Object.entries(type.examples)),
  );
  return new Map(examples.map(([code, { value }]) => [code, value]));
}

/** The refusals of passkeys, by an account of their own. */
async function passkeyProblems(ask: Ask) {
  const account = { email: 'passkeys@example.com', password: ACCOUNT.password };
  await ask('POST /v1/auth/register', { body: account });
  const opened = await ask('POST /v1/auth/login', { body: account });
  const { session_token } = (await opened.json()) as { session_token: string };
  const headers = { authorization: `Bearer ${session_token}` };
  const passkey = createSoftwarePasskey('https://pay.example');
  const add = async () => {
    const body = { current_password: account.password };
    const started = await ask('POST /v1/second-factors/passkeys/options', { headers, body });
    const { options } = (await started.json()) as PasskeyCreationView;
    const added = { name: 'My laptop', passkey: passkey.register(options) };
    return ask('POST /v1/second-factors/passkeys', { headers, body: added });
  };
  return {
    invalid_passkey: async () => {
      const started = await ask('POST /v1/auth/login/passkey/options');
      const { options } = (await started.json()) as PasskeyRequestView;
      return ask('POST /v1/auth/login/passkey', {
        body: { passkey: passkey.answer(options, { userHandle: 'AAAA' }) },
      });
    },
    passkey_exists: async () => {
      await add();
      return add();
    },
  };
}

/** The refusals of second factors. By another account: with a factor, the changes of the first one would be refused. */
async function secondFactorProblems(ask: Ask, { sql }: Store) {
  const account = { email: 'protected@example.com', password: ACCOUNT.password };
  await ask('POST /v1/auth/register', { body: account });
  const login = () => ask('POST /v1/auth/login', { body: account });
  const { session_token } = (await (await login()).json()) as { session_token: string };
  const headers = { authorization: `Bearer ${session_token}` };
  const verify = (challenge: string) =>
    ask('POST /v1/auth/login/verify', { body: { challenge, code: '000000' } });
  const ofAccount = sql`account_id = (select id from accounts where email = ${account.email})`;
  return {
    session_not_found: () => ask('DELETE /v1/sessions/00000000-0000-0000-0000-000000000000', { headers }),
    password_required: () => changeWithOldPassword(ask, sql, account),
    factor_not_found: () => ask('POST /v1/recovery-codes', { headers }),
    second_factor_required: async () => {
      await sql`
        insert into second_factors (account_id, name, secret_sealed, confirmed_at)
        select id, 'App', 'x', now() from accounts, generate_series(1, 5) where email = ${account.email}`;
      return login();
    },
    invalid_code: async () => {
      const { second_factor } = (await (await login()).json()) as { second_factor: { challenge: string } };
      await sql`update second_factors set confirmed_at = null where ${ofAccount}`;
      const refused = await verify(second_factor.challenge);
      await sql`update second_factors set confirmed_at = now() where ${ofAccount}`;
      return refused;
    },
    challenge_expired: () => verify('used before'),
    reauthentication_required: () => ask('POST /v1/api-keys', { headers }),
    too_many_factors: async () => {
      await sql`update sessions set reauthenticated_at = now() where ${ofAccount}`;
      const body = { name: 'App', current_password: account.password };
      return ask('POST /v1/second-factors', { headers, body });
    },
  };
}

/** Creates a key with the cookie of a page whose login was an hour ago. */
async function changeWithOldPassword(
  ask: Ask,
  sql: Store['sql'],
  account: { email: string; password: string },
): Promise<Response> {
  const page = { 'x-paywatch-page': 'account' };
  const opened = await ask('POST /v1/auth/login', { headers: page, body: account });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  await sql`
    update sessions set created_at = now() - interval '1 hour'
    where account_id = (select id from accounts where email = ${account.email})`;
  return ask('POST /v1/api-keys', { headers: { ...page, cookie } });
}

/** Writes a change that only its new address has to confirm, to an address that has an account by now. */
async function takeEmail({ sql }: Store, token: string): Promise<void> {
  await sql`
    with other as (
      insert into accounts (email, password_hash) values ('taken@example.com', 'none') returning email
    ), owner as (
      select id from accounts where email = ${ACCOUNT.email}
    ), change as (
      insert into email_changes (account_id, new_email, current_confirmed_at, expires_at)
      select owner.id, other.email, now(), now() + interval '1 hour' from owner, other
    )
    insert into email_tokens (token_hash, account_id, purpose, email, expires_at)
    select sha256(${token}::bytea), owner.id, 'change_to', other.email, now() + interval '1 hour' from owner, other`;
}

/** Asks a replica with settings of its own. */
async function askOtherReplica(
  { folder, env }: Stack,
  settings: Record<string, string>,
  line: string,
  request?: Request,
): Promise<Response> {
  const replica = await startStackService({
    name: 'api-with-other-settings',
    entry: serviceProgram('api'),
    folder,
    env: { ...env, ...settings },
    address: { port: await freePort(), adminPort: await freePort() },
  });
  try {
    return await asker(`http://127.0.0.1:${replica.port}`)(line, request);
  } finally {
    await replica.stop();
  }
}
