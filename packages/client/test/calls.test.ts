import type { IncomingHttpHeaders } from 'node:http';
import {
  ERROR_CODES,
  errorCodesOf,
  OPERATIONS,
  type ErrorCodeEntry,
  type Operation,
} from '@paywatch/domain/contract';
import { describe, expect, test } from 'vitest';
import {
  AddressPoolBusyError,
  createPaywatch,
  InternalError,
  InvoiceNotFoundError,
  PaywatchConnectionError,
  PaywatchError,
  ValidationError,
  type Paywatch,
  type PaywatchOptions,
} from '../src/index.ts';
import * as client from '../src/index.ts';
import { errorNameOf } from '../src/paywatch-error.ts';
import { hangUp, json, problem, scriptedApi, type Answer } from './support/scripted-api.ts';

async function clientOf(answers: [Answer, ...Answer[]], options: Partial<PaywatchOptions> = {}) {
  const { url, seen } = await scriptedApi(...answers);
  return {
    seen,
    url,
    paywatch: createPaywatch({ baseUrl: url, apiKey: 'pw_1_2', sessionToken: 'ses_1', ...options }),
  };
}

const ORDER = { currency: 'BTC', type: 'order', expected_amount: '150000' } as const;
/** Of the test vectors of BIP 84. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const EMPTY = { data: [], next_cursor: null };

/** How each operation is called; streams have tests of their own, and files are downloaded with a link. */
const CALLS: Readonly<Record<string, (paywatch: Paywatch) => Promise<unknown>>> = {
  createInvoice: (paywatch) => paywatch.invoices.create(ORDER),
  getInvoice: (paywatch) => paywatch.invoices.get('id'),
  listInvoices: (paywatch) => paywatch.invoices.list().page(),
  extendInvoice: (paywatch) => paywatch.invoices.extend('id'),
  listEvents: (paywatch) => paywatch.events.list().page(),
  getEvent: (paywatch) => paywatch.events.get('id'),
  redeliverEvent: (paywatch) => paywatch.events.redeliver('id'),
  listUnassignedPayments: (paywatch) => paywatch.payments.listUnassigned().page(),
  createWallet: (paywatch) => paywatch.wallets.create({ currency: 'BTC', xpub: ZPUB }),
  verifyWallet: (paywatch) => paywatch.wallets.verify('BTC', { address: 'bc1q' }),
  updateWallet: (paywatch) => paywatch.wallets.update('BTC', { gap_limit: 40 }),
  cancelWalletChange: (paywatch) => paywatch.wallets.cancelChange('BTC'),
  setWebhook: (paywatch) => paywatch.webhooks.set({ url: 'https://shop.example' }),
  testWebhook: (paywatch) => paywatch.webhooks.test(),
  createWebhookEndpoint: (paywatch) => paywatch.webhookEndpoints.create({ url: 'https://shop.example' }),
  listWebhookEndpoints: (paywatch) => paywatch.webhookEndpoints.list(),
  getWebhookEndpoint: (paywatch) => paywatch.webhookEndpoints.get('we_1'),
  updateWebhookEndpoint: (paywatch) => paywatch.webhookEndpoints.update('we_1', { disabled: true }),
  deleteWebhookEndpoint: (paywatch) => paywatch.webhookEndpoints.remove('we_1'),
  replayWebhookEvents: (paywatch) =>
    paywatch.webhookEndpoints.replay('we_1', { from: '2026-11-19T00:00:00Z' }),
  rotateWebhookSecret: (paywatch) => paywatch.webhookEndpoints.rotateSecret('we_1'),
  createPaymentLink: (paywatch) => paywatch.paymentLinks.create({ title: 'Shoes' }),
  listPaymentLinks: (paywatch) => paywatch.paymentLinks.list(),
  getPaymentLink: (paywatch) => paywatch.paymentLinks.get('id'),
  updatePaymentLink: (paywatch) => paywatch.paymentLinks.update('id', { disabled: true }),
  deletePaymentLink: (paywatch) => paywatch.paymentLinks.remove('id'),
  rotatePaymentLinkToken: (paywatch) => paywatch.paymentLinks.rotateToken('id'),
  getStats: (paywatch) => paywatch.stats.get(),
  register: (paywatch) => paywatch.account.register({ email: 'a@example.com', password: 'correct horse' }),
  login: (paywatch) => paywatch.account.login({ email: 'a@example.com', password: 'correct horse' }),
  verifyLogin: (paywatch) => paywatch.account.verifyLogin({ challenge: 'of the login', code: '492039' }),
  reauthenticate: (paywatch) => paywatch.account.reauthenticate({ code: '492039' }),
  logout: (paywatch) => paywatch.account.logout(),
  logoutAll: (paywatch) => paywatch.account.logoutAll(),
  getNotices: (paywatch) => paywatch.account.getNotices(),
  updateNotices: (paywatch) => paywatch.account.updateNotices({ new_device: false }),
  changeEmail: (paywatch) =>
    paywatch.account.changeEmail({ current_password: 'correct horse', new_email: 'b@example.com' }),
  changePassword: (paywatch) =>
    paywatch.account.changePassword({ current_password: 'correct horse', new_password: 'a better one' }),
  getMe: (paywatch) => paywatch.account.me(),
  getSubscription: (paywatch) => paywatch.subscription.get(),
  createPurchase: (paywatch) => paywatch.subscription.purchase({ currency: 'BTC' }),
  listAuditLog: (paywatch) => paywatch.auditLog.list().page(),
  updateProject: (paywatch) => paywatch.project.update({ name: 'Shop' }),
  rotateProjectToken: (paywatch) => paywatch.project.rotateToken('donate'),
  getOverlaySettings: (paywatch) => paywatch.project.getOverlaySettings(),
  updateOverlaySettings: (paywatch) => paywatch.project.updateOverlaySettings({ theme: 'light' }),
  testOverlay: (paywatch) => paywatch.project.testOverlay(),
  createApiKey: (paywatch) => paywatch.apiKeys.create(),
  listApiKeys: (paywatch) => paywatch.apiKeys.list().page(),
  revokeApiKey: (paywatch) => paywatch.apiKeys.revoke('id'),
  getPublicInvoice: (paywatch) => paywatch.public.getInvoice('id'),
  getDonationLink: (paywatch) => paywatch.public.getDonationLink('id'),
  createDonation: (paywatch) => paywatch.public.createDonation('id', { currency: 'LTC' }),
  getPublicPaymentLink: (paywatch) => paywatch.public.getPaymentLink('id'),
  buyByPaymentLink: (paywatch) => paywatch.public.buyByPaymentLink('id', { currency: 'BTC' }),
  getFeeEstimate: (paywatch) => paywatch.public.getFeeEstimate('BTC'),
  getExchangeRate: (paywatch) => paywatch.public.getExchangeRate('BTC', { in: 'EUR' }),
};

/**
 * Left to the pages of Paywatch: passkeys work on their origin alone, the links of mails lead to them, and owners manage sessions, second
 * factors and members there, as operators do the deployment.
 */
const PAGES_ONLY = new Set([
  'startPasskeyLogin',
  'loginWithPasskey',
  'startReauthentication',
  'startPasskey',
  'addPasskey',
  'confirmPassword',
  'cancelWalletChanges',
  'forgotPassword',
  'resetPassword',
  'verifyEmail',
  'resendVerification',
  'confirmEmail',
  'listProjects',
  'createProject',
  'listMembers',
  'inviteMember',
  'cancelInvitation',
  'acceptInvitation',
  'leaveProject',
  'updateMember',
  'removeMember',
  'getOperatorOverview',
  'listOperatorAccounts',
  'getOperatorAccount',
  'unlockOperatorAccount',
  'setOperatorSubscription',
  'setOperatorAddressLimit',
  'listParkedInvoices',
  'retryParkedInvoice',
  'listSessions',
  'exportAccount',
  'getServiceStatus',
  'deleteAccount',
  'endSession',
  'logoutOthers',
  'listSecondFactors',
  'addSecondFactor',
  'confirmSecondFactor',
  'renameSecondFactor',
  'removeSecondFactor',
  'replaceRecoveryCodes',
  'updateWalletChangeDelay',
  'getDonationPage',
  'updateDonationPage',
  'getBranding',
  'updateBranding',
  'getModeration',
  'updateModeration',
  'getOverlaySources',
  'updateOverlaySources',
  'createUpload',
  'listUploads',
  'deleteUpload',
  'controlOverlay',
  'decideHeldDonation',
]);

const operations = Object.entries<Operation>(OPERATIONS).filter(
  ([id, { stream, responses }]) =>
    stream === undefined && responses[200]?.files === undefined && !PAGES_ONLY.has(id),
);

test.each(operations)('%s sends its method, path, credentials and body', async (id, operation) => {
  const { paywatch, seen } = await clientOf([json(EMPTY)]);
  await CALLS[id]?.(paywatch);
  const [request] = seen;
  const path = operation.path.replace(/\{\w+\}/, '[^/]+').replaceAll('/', '\\/');
  expect(request?.line).toMatch(new RegExp(`^${operation.method.toUpperCase()} ${path}(\\?in=EUR)?$`));
  expect(credentialsIn(request?.headers ?? {})).toEqual(CREDENTIALS[areaOf(operation)]);
  const sent: unknown = request?.body === '' ? {} : JSON.parse(request?.body ?? '');
  expect(operation.body?.safeParse(sent).error).toBeUndefined();
});

/** Login and registration need no credentials, but the client sends the session with them. */
function areaOf({ path, auth }: Operation): 'key' | 'session' | 'public' {
  if (path.startsWith('/v1/public/')) return 'public';
  return auth === 'key' ? 'key' : 'session';
}

const CREDENTIALS = {
  key: { key: 'pw_1_2', session: 'Bearer ses_1' },
  session: { key: undefined, session: 'Bearer ses_1' },
  public: { key: undefined, session: undefined },
};

function credentialsIn({ 'x-api-key': key, authorization: session }: IncomingHttpHeaders) {
  return { key, session };
}

describe('an idempotent call', () => {
  test('is retried after a lost connection and a 503, with the same idempotency key', async () => {
    const answers = [
      hangUp,
      problem(503, 'service_unavailable', { 'retry-after': '0' }),
      json({ public_id: 'inv_1' }, 201),
    ] as const;
    const { paywatch, seen } = await clientOf([...answers]);
    expect(await paywatch.invoices.create(ORDER)).toMatchObject({ public_id: 'inv_1', replayed: false });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    await paywatch.invoices.create(ORDER);
    expect(seen[3]?.headers['idempotency-key']).not.toBe(keys[0]);
  });

  test('waits for Retry-After', async () => {
    const { paywatch, seen } = await clientOf([
      problem(429, 'rate_limited', { 'retry-after': '1' }),
      json({}),
    ]);
    const startedMs = performance.now();
    await paywatch.stats.get();
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1000);
    expect(seen).toHaveLength(2);
  });

  test('fails immediately if Retry-After exceeds the limit', async () => {
    const { paywatch, seen } = await clientOf([problem(503, 'address_pool_busy', { 'retry-after': '60' })]);
    const error = await paywatch.invoices.create(ORDER).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AddressPoolBusyError);
    expect(error).toMatchObject({ retryAfterSeconds: 60, requestId: 'req_1', status: 503 });
    expect(seen).toHaveLength(1);
  });

  test('fails after the allowed number of retries', async () => {
    const { paywatch, seen } = await clientOf([hangUp], { maxRetries: 1 });
    await expect(paywatch.stats.get()).rejects.toBeInstanceOf(PaywatchConnectionError);
    expect(seen).toHaveLength(2);
    await expect(paywatch.stats.get({ maxRetries: 0 })).rejects.toBeInstanceOf(PaywatchConnectionError);
    expect(seen).toHaveLength(3);
  });
});

describe('a call that is not idempotent', () => {
  test('is not retried if it may have been carried out', async () => {
    for (const answer of [hangUp, problem(500, 'internal_error'), problem(503, 'service_unavailable')]) {
      const { paywatch, seen } = await clientOf([answer]);
      await expect(paywatch.public.createDonation('token', { currency: 'BTC' })).rejects.toBeInstanceOf(
        Error,
      );
      expect(seen).toHaveLength(1);
    }
  });

  test('is retried if it was not carried out', async () => {
    const { paywatch, seen } = await clientOf([
      problem(429, 'rate_limited', { 'retry-after': '0' }),
      json({ public_id: 'inv_1' }),
    ]);
    await paywatch.public.createDonation('token', { currency: 'BTC' });
    expect(seen).toHaveLength(2);
  });
});

describe('an error', () => {
  const [pagesOnly, codes] = [true, false].map((only) =>
    Object.entries<ErrorCodeEntry>(ERROR_CODES).flatMap(([code, entry]) =>
      (entry.pagesOnly ?? false) === only ? [code] : [],
    ),
  ) as [string[], string[]];

  test.each(operations)('that %s can meet has a class', (_, operation) => {
    // The client does not send the header that names a project.
    const met = errorCodesOf(operation).filter((code) => code !== 'project_not_found');
    expect(met.filter((code) => pagesOnly.includes(code))).toEqual([]);
  });

  test.each(codes)('with the code %s has its own class', async (code) => {
    const { paywatch } = await clientOf([problem(400, code)], { maxRetries: 0 });
    const error: unknown = await paywatch.stats.get().catch((caught: unknown) => caught);
    const [name] =
      Object.entries(client).find(([, exported]) => exported === Object(error).constructor) ?? [];
    expect(name).toBe(errorNameOf(code));
    expect(error).toBeInstanceOf(PaywatchError);
    expect(error).toMatchObject({ code, name: errorNameOf(code) });
  });

  test('of a validation lists the fields', async () => {
    const errors = [{ path: 'body.currency', message: 'Is required.' }];
    const { paywatch } = await clientOf([json({ code: 'validation_error', detail: 'Wrong.', errors }, 422)]);
    const error = await paywatch.invoices.create(ORDER).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ errors, message: 'Wrong. body.currency: Is required.' });
  });

  test('with an unknown code, or from a proxy, is a PaywatchError', async () => {
    const newer = await clientOf([problem(409, 'sent_by_a_later_version')]);
    await expect(newer.paywatch.stats.get()).rejects.toMatchObject({ code: 'sent_by_a_later_version' });
    const proxy = await clientOf([(response) => void response.writeHead(502).end('<html>')], {
      maxRetries: 0,
    });
    const error = await proxy.paywatch.stats.get().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PaywatchError);
    expect(error).not.toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ code: 'http_502', status: 502 });
  });

  test('does not contain the token of a public path', async () => {
    const { paywatch } = await clientOf([hangUp], { maxRetries: 0 });
    const error = await paywatch.public.getDonationLink('s3cret').catch((caught: Error) => caught.message);
    expect(error).toBe('No response to GET /public/donate/….');
  });
});

test('a redirect is not followed, so the key is sent to no other host', async () => {
  const other = await scriptedApi(json({}));
  const { paywatch } = await clientOf(
    [(response) => void response.writeHead(307, { location: other.url }).end()],
    {
      maxRetries: 0,
    },
  );
  await expect(paywatch.stats.get()).rejects.toBeInstanceOf(PaywatchConnectionError);
  expect(other.seen).toEqual([]);
});

test.each(['', '.', '..'])('an identifier cannot change the path: "%s"', async (id) => {
  const { paywatch, seen } = await clientOf([json({})]);
  await expect(paywatch.invoices.get(id)).rejects.toBeInstanceOf(TypeError);
  await paywatch.invoices.get('a/../b?c#d');
  expect(seen.map(({ line }) => line)).toEqual(['GET /v1/invoices/a%2F..%2Fb%3Fc%23d']);
});

test('a call ends on timeout and when its signal is aborted', async () => {
  const { paywatch, seen } = await clientOf([() => undefined], { maxRetries: 0 });
  await expect(paywatch.stats.get({ timeoutMs: 50 })).rejects.toBeInstanceOf(PaywatchConnectionError);
  const reason = new Error('the customer left');
  const leaving = new AbortController();
  const call = paywatch.stats.get({ signal: leaving.signal, maxRetries: 5 });
  await expect.poll(() => seen.length).toBe(2);
  leaving.abort(reason);
  await expect(call).rejects.toBe(reason);
});

test('a replayed creation is reported, also if its parameters differ', async () => {
  const headers = { 'idempotent-replayed': 'true', 'idempotency-mismatch': 'true' };
  const { paywatch } = await clientOf([json({ public_id: 'inv_1' }, 200, headers)]);
  expect(await paywatch.invoices.create(ORDER)).toMatchObject({ replayed: true, mismatched: true });
});

test('a list is fetched page by page during iteration, with its filter', async () => {
  const pages = [json({ data: [1, 2], next_cursor: 'c1' }), json({ data: [3], next_cursor: null })] as const;
  const { paywatch, seen } = await clientOf([...pages]);
  const items: unknown[] = [];
  for await (const invoice of paywatch.invoices.list({ status: 'underpaid', limit: 2 })) {
    items.push(invoice);
    expect(seen).toHaveLength(items.length < 3 ? 1 : 2);
  }
  expect(items).toEqual([1, 2, 3]);
  expect(seen.map(({ line }) => line)).toEqual([
    'GET /v1/invoices?status=underpaid&limit=2',
    'GET /v1/invoices?status=underpaid&limit=2&cursor=c1',
  ]);
});

test('an unknown invoice rejects with InvoiceNotFoundError', async () => {
  const { paywatch } = await clientOf([problem(404, 'invoice_not_found')]);
  await expect(paywatch.invoices.get('inv_1')).rejects.toBeInstanceOf(InvoiceNotFoundError);
});

test('an invalid baseUrl throws TypeError', () => {
  expect(() => createPaywatch({ baseUrl: 'pay.example' })).toThrow(TypeError);
});
