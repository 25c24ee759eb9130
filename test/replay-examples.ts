import { createSoftwarePasskey } from '@paywatch/dev/passkeys';
import { openEventStream, type Stack } from '@paywatch/dev/stack';
import { sampleGif, waitUntil } from '@paywatch/dev/testing';

import {
  FEE_TARGET_BLOCKS,
  OPERATIONS,
  type ConfirmedFactorView,
  type Operation,
  type OperationId,
  type PasskeyCreationView,
  type PasskeyRequestView,
} from '@paywatch/domain/contract';
import type { Store } from '@paywatch/store';
import { saveFeeEstimate } from '@paywatch/store/chain';
import { Secret, TOTP } from 'otpauth';
import { maskVolatile } from './mask-volatile.ts';

/** An example of the API reference and the response of a real run; values that differ between runs are masked in both. */
export type ReplayedExample = { operation: OperationId; documented: unknown; answered: unknown };

type Example = { request: object | undefined; status: number; response: unknown };
type Call = {
  params?: Record<string, string>;
  body?: object;
  file?: Buffer;
  query?: string;
  as?: Record<string, string>;
};

/**
 * Replays the examples of the OpenAPI document in order, with their requests, on a new stack whose operator sells subscriptions. Fee
 * estimates are inserted into the store, because regtest has none.
 */
export async function replayExamples(stack: Stack, store: Store): Promise<ReplayedExample[]> {
  const examples = await readExamples(stack.url);
  const replayed: ReplayedExample[] = [];
  const send = async (operation: OperationId, call: Call = {}): Promise<Record<string, unknown>> => {
    const example = examples(operation);
    const body = call.body ?? example.request;
    const answered = await request(stack.url, operation, {
      ...call,
      ...(body === undefined ? {} : { body }),
    });
    replayed.push({
      operation,
      documented: maskVolatile(cellsOf(example.response)),
      answered: maskVolatile(cellsOf(answered.body)),
    });
    if (answered.status !== example.status)
      throw new Error(`${operation}: ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body;
  };

  const listen = async (operation: OperationId, call: Call): Promise<void> => {
    const answered = await firstMessage(stack.url, operation, call);
    replayed.push({ operation, documented: streamShape(examples(operation).response), answered });
  };

  await send('register');
  const verification = await linkToken(stack, MERCHANT, 'Verify');
  const { password } = examples('login').request as { password: string };
  await send('verifyEmail', { body: { token: verification, password } });
  const login = async () => ({ authorization: `Bearer ${String((await send('login'))['session_token'])}` });
  const bearer = await login();
  // Before anything is set up: its example is that of a new account.
  await send('exportAccount', { as: bearer });
  const sessionId = await replaySessions(send, login, bearer);
  await send('createPurchase', { as: bearer });
  await send('getSubscription', { as: bearer });
  const { token } = await send('createApiKey', { as: bearer });
  const key = { 'x-api-key': String(token) };
  const { verification_address: address } = await send('createWallet', { as: bearer });
  await send('verifyWallet', { as: bearer, params: { currency: 'BTC' }, body: { address: String(address) } });
  const { secret } = await send('setWebhook', { as: key, body: { url: stack.receiver.url } });
  stack.receiver.setSecrets(String(secret));

  const publicId = await payOrder(stack, send, key);
  const events = await send('listEvents', { as: key, query: `public_id=${publicId}` });
  const [{ id } = { id: '' }] = events['data'] as { id: string }[];
  await send('getEvent', { as: key, params: { id } });
  await send('getStats', { as: key });
  const endpointId = await replayEndpoints(stack, send, key);
  await send('updateProject', { as: bearer });
  await send('listAuditLog', { as: bearer, query: 'action=project.renamed' });
  await send('exportAuditLog', { as: bearer, query: 'action=project.renamed' });
  await send('getPublicInvoice', { params: { publicId } });
  await listen('streamPublicInvoice', { params: { publicId } });
  const { project } = (await send('getMe', { as: bearer })) as { project: Record<string, string> };
  await send('createProject', { as: bearer });
  await send('listProjects', { as: bearer });
  await replayMembers(stack, store, send, bearer);
  await send('updateWalletChangeDelay', { as: bearer });
  const donations = { params: { token: String(project['donate_token']) } };
  await send('getDonationLink', donations);
  const { public_id: donation } = await send('createDonation', donations);
  await payDonation(stack, String(donation));
  await listen('streamOverlay', { params: { token: String(project['overlay_token']) } });
  // After the project was shown: the change would be among its changes of wallets.
  await send('updateWallet', { as: bearer, params: { currency: 'BTC' } });
  // After the wallet was shown: a held donation leases a further address.
  await replayModeration(stack, { send, listen }, bearer, donations);
  await send('getDonationPage', { as: bearer });
  await send('updateDonationPage', { as: bearer });
  await send('getOverlaySettings', { as: bearer });
  await send('updateOverlaySettings', { as: bearer });
  await send('getOverlaySources', { as: bearer });
  await send('updateOverlaySources', { as: bearer });
  await send('testOverlay', { as: bearer });
  await replayUploads(send, bearer);
  await saveFeeEstimate(store, 'BTC', FEES);
  await send('getFeeEstimate', { params: { currency: 'BTC' } });
  await saveRateOfExamples(store);
  await send('getExchangeRate', { params: { currency: 'BTC' }, query: 'in=EUR' });
  await saveIncidentOfExample(store);
  const { body: status } = await request(stack.url, 'getServiceStatus', {});
  const documentedStatus = examples('getServiceStatus').response;
  replayed.push({
    operation: 'getServiceStatus',
    documented: shapeOf(documentedStatus),
    answered: shapeOf(status),
  });
  await send('redeliverEvent', { as: key, params: { id }, body: { endpoint_id: endpointId } });
  await send('testWebhook', { as: key });
  await payUnheldAddress(stack, store, key);
  await send('listUnassignedPayments', { as: key });

  const keys = await send('listApiKeys', { as: bearer });
  const [{ key_public: keyPublic } = { key_public: '' }] = keys['data'] as { key_public: string }[];
  await send('revokeApiKey', { as: bearer, params: { keyPublic } });
  await send('rotateProjectToken', { as: bearer, params: { kind: 'donate' } });
  // After the wallet was shown: a purchase leases a further address.
  await saveRateOfExamples(store);
  await replayPaymentLink(send, bearer);
  // After payers' views were shown: they contain the branding.
  await send('getBranding', { as: bearer });
  await send('updateBranding', { as: bearer });
  await replayWalletChanges(stack, send, { as: bearer, example: examples('createWallet') });
  replayed.push(...(await replayOperator(stack, store, examples, bearer)));
  await replaySecondFactor(stack, send, bearer);
  await send('logout', { as: await login() });
  await send('endSession', { as: bearer, params: { sessionId } });
  await send('logoutAll', { as: await login() });
  await send('changePassword', { as: await login() });
  await replayMailLinks(stack, send);
  return replayed;
}

/** Lists the only session, and ends another one. Returns the id of the first. */
async function replaySessions(
  send: Send,
  login: () => Promise<Record<string, string>>,
  as: Record<string, string>,
): Promise<string> {
  const { data } = (await send('listSessions', { as })) as { data: { session_id: string }[] };
  await login();
  await send('logoutOthers', { as });
  await send('confirmPassword', { as });
  return data[0]?.session_id ?? '';
}

/** Invites a colleague, who joins, gets another role, is removed, and leaves after joining once more. */
async function replayMembers(
  stack: Stack,
  { sql }: Store,
  send: Send,
  as: Record<string, string>,
): Promise<void> {
  await request(stack.url, 'register', { body: COLLEAGUE });
  const { body: session } = await request(stack.url, 'login', { body: COLLEAGUE });
  const colleague = { authorization: `Bearer ${String(session['session_token'])}` };
  await send('inviteMember', { as });
  const token = await linkToken(stack, COLLEAGUE.email, 'You are invited');
  const { project_id: project } = await send('acceptInvitation', { as: colleague, body: { token } });
  const body = { email: 'bookkeeper@example.com', role: 'accountant' };
  const { body: invitation } = await request(stack.url, 'inviteMember', { as, body });
  const { members } = (await send('listMembers', { as })) as { members: { id: string }[] };
  await send('cancelInvitation', { as, params: { invitationId: String(invitation['id']) } });
  const params = { memberId: String(members[1]?.id) };
  await send('updateMember', { as, params });
  await send('removeMember', { as, params });
  await sql`
    insert into project_members (project_id, account_id, role)
    select p.id, a.id, 'support' from projects p, accounts a
    where p.public_id = ${String(project)} and a.email = ${COLLEAGUE.email}`;
  await send('leaveProject', { as: { ...colleague, 'paywatch-project': String(project) } });
}

/** Makes the merchant the operator. Compares shapes: the state of a run depends on how busy the machine is. */
async function replayOperator(
  { url }: Stack,
  { sql }: Store,
  examples: (operation: OperationId) => Example,
  as: Record<string, string>,
): Promise<ReplayedExample[]> {
  const replayed: ReplayedExample[] = [];
  const send = async (operation: OperationId, call: Call = {}) => {
    const { request: body, response, status } = examples(operation);
    const answered = await request(url, operation, { as, ...(body && { body }), ...call });
    if (answered.status !== status)
      throw new Error(`${operation}: ${answered.status} ${JSON.stringify(answered.body)}`);
    replayed.push({ operation, documented: shapeOf(response), answered: shapeOf(answered.body) });
    return answered.body;
  };
  await sql`update accounts set is_operator = true where email = ${MERCHANT}`;
  const [parked] = await sql<{ publicId: string }[]>`
    with parked as (
      insert into parked_invoices (invoice_id, currency, error_class, error_message, next_attempt_at)
      select id, currency, 'RangeError', 'Invalid time', now() + interval '1 hour' from invoices
      where currency = 'BTC' order by id limit 1 returning invoice_id)
    select public_id as "publicId" from invoices i join parked on i.id = parked.invoice_id`;
  const { data } = (await send('listOperatorAccounts', { query: 'q=merchant' })) as {
    data: { account_id: string }[];
  };
  const params = { accountId: data[0]?.account_id ?? '' };
  await send('listParkedInvoices');
  await send('retryParkedInvoice', { params: { publicId: parked?.publicId ?? '' } });
  await send('setOperatorSubscription', { params });
  await send('setOperatorAddressLimit', { params });
  await send('unlockOperatorAccount', { params });
  await send('getOperatorAccount', { params });
  await send('getOperatorOverview');
  return replayed;
}

/** Creates the control page, holds a second donation and approves it. */
async function replayModeration(
  stack: Stack,
  { send, listen }: { send: Send; listen: (operation: OperationId, call: Call) => Promise<void> },
  as: Record<string, string>,
  donations: Call,
): Promise<void> {
  const kind = { kind: 'control' };
  const { body: rotated } = await request(stack.url, 'rotateProjectToken', { as, params: kind });
  const control = { params: { token: String(rotated['token']) } };
  await listen('streamControl', control);
  await send('getModeration', { as });
  await send('updateModeration', { as });
  await request(stack.url, 'updateModeration', { as, body: { hold: 'all' } });
  const { body: held } = await request(stack.url, 'createDonation', {
    ...donations,
    body: { currency: 'BTC' },
  });
  await payDonation(stack, String(held['public_id']));
  const page = await openEventStream(`${stack.url}${pathOf('streamControl', control.params)}`);
  await page.waitFor(({ data }) => data.includes('"held_count":1'));
  page.close();
  await send('decideHeldDonation', control);
  await send('controlOverlay', control);
}

/** Adds a further endpoint, changes and deletes it. Returns the id of the first one. */
async function replayEndpoints(stack: Stack, send: Send, as: Record<string, string>): Promise<string> {
  const body = {
    url: `${stack.receiver.url}/accounting`,
    description: 'Accounting',
    event_types: ['invoice.confirmed', 'invoice.late_payment'],
  };
  const { id } = await send('createWebhookEndpoint', { as, body });
  const answer = () => fetch(`${stack.url}/v1/webhook-endpoints`, { headers: as });
  // The status is recorded a moment after the attempt.
  const isTried = async () => (await (await answer()).text()).includes('"status":"healthy"');
  await waitUntil(isTried, { what: 'the status of the first endpoint' });
  const list = await send('listWebhookEndpoints', { as });
  const call = { as, params: { endpointId: String(id) } };
  await send('getWebhookEndpoint', call);
  await send('rotateWebhookSecret', call);
  await send('replayWebhookEvents', { ...call, body: { from: '2020-01-01T00:00:00Z' } });
  await send('updateWebhookEndpoint', call);
  await send('deleteWebhookEndpoint', call);
  const [first] = list['data'] as { id: string }[];
  return first?.id ?? '';
}

/** Uploads a picture, loads it and deletes it. */
async function replayUploads(send: Send, as: Record<string, string>): Promise<void> {
  const { id } = await send('createUpload', { as, query: 'kind=image&name=confetti.gif', file: sampleGif() });
  const params = { uploadId: String(id) };
  await send('listUploads', { as });
  await send('getUpload', { params, as: { range: 'bytes=0-' } });
  await send('deleteUpload', { as, params });
}

/** Creates a payment link, buys by it, and deletes it. */
async function replayPaymentLink(send: Send, as: Record<string, string>): Promise<void> {
  const { id, url } = await send('createPaymentLink', { as });
  const params = { linkId: String(id) };
  await send('listPaymentLinks', { as });
  await send('getPaymentLink', { as, params });
  const token = String(url).split('/').at(-1) ?? '';
  await send('getPublicPaymentLink', { params: { token } });
  await send('buyByPaymentLink', { params: { token } });
  await send('rotatePaymentLinkToken', { as, params });
  await send('updatePaymentLink', { as, params });
  await send('deletePaymentLink', { as, params });
}

/** Replaces the wallet of the paid project twice: one change is cancelled at once, one by its mail. */
async function replayWalletChanges(
  stack: Stack,
  send: Send,
  { as, example }: { as: Record<string, string>; example: Example },
): Promise<void> {
  const params = { currency: 'BTC' };
  const replace = async () => {
    // Another branch of the key of the examples is another wallet.
    const body = { ...example.request, derivation_path: "m/84'/0'/0'/7" };
    const { body: wallet } = await request(stack.url, 'createWallet', { as, body });
    const address = String(wallet['verification_address']);
    await request(stack.url, 'verifyWallet', { as, params, body: { address } });
  };
  await replace();
  await linkToken(stack, MERCHANT, 'Your BTC wallet is about');
  await send('cancelWalletChange', { as, params });
  await replace();
  const mails = () =>
    stack.mail.mails.filter(({ subject }) => subject.startsWith('Your BTC wallet is about'));
  await waitUntil(() => mails().length === 2, { what: 'the mail of the second change' });
  await send('cancelWalletChanges', { body: { token: mails().at(-1)?.link?.split('#')[1] ?? '' } });
}

/** Adds an authenticator app, logs in with its codes, and removes it. Each code is of another 30 seconds: a code works once. */
async function replaySecondFactor(stack: Stack, send: Send, as: Record<string, string>): Promise<void> {
  const { factor_id, secret } = await send('addSecondFactor', { as });
  const app = new TOTP({ secret: Secret.fromBase32(String(secret)) });
  const code = (step: number) => ({ code: app.generate({ timestamp: Date.now() + step * 30_000 }) });
  const params = { factorId: String(factor_id) };
  await send('confirmSecondFactor', { as, params, body: code(-1) });
  await send('listSecondFactors', { as });
  await send('reauthenticate', { as, body: code(0) });
  const { challenge } = await challengeOf(stack);
  await send('verifyLogin', { body: { challenge, ...code(1) } });
  await replayPasskey(stack, send, as);
  await send('replaceRecoveryCodes', { as });
  await send('removeSecondFactor', { as, params });
}

/** Adds a passkey, uses it, and removes it. */
async function replayPasskey(stack: Stack, send: Send, as: Record<string, string>): Promise<void> {
  const credentialId = Buffer.from('q83vASNFZ4mrze8BI0VniQ', 'base64url');
  const passkey = createSoftwarePasskey('https://pay.example', { credentialId });
  const { options: creation } = (await send('startPasskey', { as })) as PasskeyCreationView;
  const body = { name: 'My laptop', passkey: passkey.register(creation) };
  const { factor } = (await send('addPasskey', { as, body })) as ConfirmedFactorView;
  await send('startReauthentication', { as });
  const { options } = (await send('startPasskeyLogin')) as PasskeyRequestView;
  await send('loginWithPasskey', { body: { passkey: passkey.answer(options) } });
  const params = { factorId: factor.factor_id };
  await send('renameSecondFactor', { as, params });
  await request(stack.url, 'removeSecondFactor', { as, params });
}

/** The challenge of a login, which is answered as a problem. */
async function challengeOf(stack: Stack): Promise<{ challenge: string }> {
  const body = { email: MERCHANT, password: 'correct horse battery staple' };
  const { body: problem } = await request(stack.url, 'login', { body });
  return problem['second_factor'] as { challenge: string };
}

const COLLEAGUE = { email: 'colleague@example.com', password: 'correct horse battery staple' };

/** The email of the examples, and the new one of its change. */
const MERCHANT = 'merchant@example.com';
const NEW_EMAIL = 'billing@example.com';

/** Resets the password and changes the email by the links of real mails. */
async function replayMailLinks(stack: Stack, send: Send): Promise<void> {
  await send('forgotPassword');
  const password = 'the newest password';
  const reset = await linkToken(stack, MERCHANT, 'Reset');
  await send('resetPassword', { body: { token: reset, new_password: password } });
  const session = await send('login', { body: { email: MERCHANT, password } });
  const bearer = { authorization: `Bearer ${String(session['session_token'])}` };
  await send('resendVerification', { as: bearer });
  await send('getNotices', { as: bearer });
  await send('updateNotices', { as: bearer });
  await send('changeEmail', { as: bearer, body: { current_password: password, new_email: NEW_EMAIL } });
  const first = { token: await linkToken(stack, MERCHANT, 'Confirm') };
  await request(stack.url, 'confirmEmail', { body: first });
  await send('confirmEmail', { body: { token: await linkToken(stack, NEW_EMAIL, 'Confirm') } });
  await send('deleteAccount', { as: bearer, body: { current_password: password, email: NEW_EMAIL } });
}

/** The token in the link of the mail whose subject begins with this word. */
async function linkToken(stack: Stack, to: string, subject: string): Promise<string> {
  const mail = await stack.mail.waitFor((one) => one.to === to && one.subject.startsWith(subject));
  return mail.link?.split('#')[1] ?? '';
}

/** Stores the rate of the examples, and keeps watchers from replacing it. */
async function saveRateOfExamples({ sql }: Store): Promise<void> {
  await sql`
    insert into exchange_rates (currency, price_currency, value, sources, taken_at, claimed_at)
    values ('BTC', 'EUR', 87416.72, '{binance,bitstamp,coinbase,kraken}', now(), 'infinity')
    on conflict (currency, price_currency) do update set
      value = excluded.value, sources = excluded.sources, taken_at = excluded.taken_at, candidate = null,
      candidate_at = null, withheld = null, claimed_at = excluded.claimed_at`;
}

/** Inserts a fee estimate, as the watcher does. */
const FEES = {
  fast: '12.5',
  normal: '6',
  economy: '1.2',
  targetBlocks: FEE_TARGET_BLOCKS.BTC,
  estimatedAtMs: Date.now(),
};

type Send = (operation: OperationId, call?: Call) => Promise<Record<string, unknown>>;

/** The order in the examples, from its creation to the webhook. */
async function payOrder(stack: Stack, send: Send, as: Record<string, string>): Promise<string> {
  const { public_id, address } = await send('createInvoice', { as });
  const publicId = String(public_id);
  const params = { publicId };
  await send('extendInvoice', { as, params });
  const page = await openEventStream(`${stack.url}/v1/public/invoices/${publicId}/events`);
  await stack.payers.BTC.pay(String(address), 123_400n);
  await page.waitFor(({ data }) => data.includes('"status":"pending"'));
  // Only one block: with two, the second might or might not be recorded when the invoice is read.
  await stack.payers.BTC.mine();
  await stack.receiver.waitFor(({ data }) => data.invoice.public_id === publicId);
  page.close();
  await waitUntil(() => isDelivered(stack.url, as, publicId), { what: 'the attempt to be recorded' });
  await send('getInvoice', { as, params });
  await send('listInvoices', { as, query: 'status=confirmed' });
  await send('exportInvoices', { as, query: 'status=confirmed' });
  await send('exportPayments', { as, query: 'status=confirmed' });
  await send('exportEvents', { as, query: `public_id=${publicId}` });
  return publicId;
}

async function payDonation(stack: Stack, publicId: string): Promise<void> {
  const invoice = `${stack.url}/v1/public/invoices/${publicId}`;
  const { address } = (await (await fetch(invoice)).json()) as { address: string };
  await stack.payers.BTC.pay(address, 50_000n);
  await stack.payers.BTC.mine(2);
}

/** Pays an address of the wallet that no invoice has leased. */
async function payUnheldAddress(
  stack: Stack,
  { sql }: Store,
  headers: Record<string, string>,
): Promise<void> {
  const [unheld] = await sql<{ address: string }[]>`
    select a.address from pool_addresses a join pools p on p.id = a.pool_id
    where p.currency = 'BTC' and a.address_index = 12 and a.lease_count = 0 order by p.id desc limit 1`;
  if (unheld === undefined) throw new Error('no address without a lease');
  await stack.payers.BTC.pay(unheld.address, 50_000n);
  await stack.payers.BTC.mine(2);
  const isListed = async () => {
    const answer = await fetch(`${stack.url}/v1/unassigned-payments`, { headers });
    return (await answer.text()).includes('"confirmations":2');
  };
  await waitUntil(isListed, { what: 'the payment without an invoice' });
}

async function isDelivered(url: string, headers: Record<string, string>, publicId: string): Promise<boolean> {
  const answer = await fetch(`${url}/v1/events?public_id=${publicId}`, { headers });
  return (await answer.text()).includes('"status":"delivered"');
}

type Documented = Record<
  string,
  Record<
    string,
    {
      operationId: string;
      requestBody?: { content: { 'application/json'?: { example: object } } };
      responses: Record<string, { content?: Record<string, { example: unknown }> }>;
    }
  >
>;

/** The examples by operation. Of several success statuses, the last one, which is not a repeated request. */
async function readExamples(url: string): Promise<(operation: OperationId) => Example> {
  const { paths } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as { paths: Documented };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return (id) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    const successes = Object.entries(operation?.responses ?? {}).filter(([status]) => status.startsWith('2'));
    const [status, answer] = successes.findLast(([, { content }]) => content !== undefined) ?? [];
    if (operation === undefined || status === undefined) throw new Error(`${id} is not documented`);
    return {
      request: operation.requestBody?.content['application/json']?.example,
      status: Number(status),
      response: Object.values(answer?.content ?? {})[0]?.example,
    };
  };
}

type Answered = { status: number; body: Record<string, unknown> };

/** A file as its cells, so that each of them can be masked, as heights of blocks are here; everything else unchanged. */
function cellsOf(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  return body.split(/[,\r\n]+/).map((cell) => (/^\d{3,}$/.test(cell) ? '<height>' : cell));
}

/** Sends a request; repeats it while the response is 503, because the addresses of a new wallet are not derived yet. */
function request(url: string, id: OperationId, { params = {}, query, as, ...sent }: Call): Promise<Answered> {
  return waitUntil(
    async () => {
      const response = await fetch(`${url}${pathOf(id, params)}${query === undefined ? '' : `?${query}`}`, {
        method: OPERATIONS[id].method.toUpperCase(),
        ...bodyOf(sent, as),
      });
      const parsed: unknown = await contentOf(response);
      const answered = { status: response.status, body: parsed as Record<string, unknown> };
      return answered.status === 503 ? undefined : answered;
    },
    { what: `a response to ${id}` },
  );
}

function bodyOf({ body, file }: Pick<Call, 'body' | 'file'>, as?: Record<string, string>): RequestInit {
  const [type, content] = file
    ? ['application/octet-stream', new Uint8Array(file)]
    : ['application/json', JSON.stringify(body)];
  return content === undefined
    ? { headers: { ...as } }
    : { headers: { ...as, 'content-type': type }, body: content };
}

/** Text, JSON, or nothing for a picture. */
function contentOf(response: Response): Promise<unknown> | undefined {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return undefined;
  return type.startsWith('text/csv') ? response.text() : response.json();
}

function pathOf(id: OperationId, params: Record<string, string>): string {
  const { path }: Operation = OPERATIONS[id];
  return path.replace(/\{(\w+)\}/, (_match, name: string) => params[name] ?? '');
}

/** Opens a stream from its beginning and closes it after the first message. */
async function firstMessage(url: string, id: OperationId, { params = {} }: Call): Promise<unknown> {
  const closing = new AbortController();
  const headers = { 'Last-Event-ID': '0' };
  const response = await fetch(`${url}${pathOf(id, params)}`, { headers, signal: closing.signal });
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    if (/^data: .*\n\n/ms.test(text)) break;
  }
  closing.abort();
  return streamShape(text);
}

/** The fields of a stream's text by name: `retry` and the first message. Ignores comments. */
function streamShape(text: unknown): unknown {
  const lines = String(text).split('\n');
  const fields = lines.flatMap((line) => {
    const [, name, value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, name === 'data' ? JSON.parse(value) : value]];
  });
  return maskVolatile(Object.fromEntries(fields));
}

/** Newer than any incident of the run itself. */
async function saveIncidentOfExample({ sql }: Store): Promise<void> {
  await sql`
    insert into incidents (component, started_at, ended_at)
    values ('BTC', now() + interval '1 hour', now() + interval '2 hours')`;
}

/** The fields and types of a value, and of the first item of each list: the status of a run depends on how busy the machine is. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
