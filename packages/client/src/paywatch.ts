import { call, type CallOptions, type Connection, type IdempotentCallOptions } from './call.ts';
import { definedOf } from './defined-of.ts';
import { operationsOf } from './operations.ts';
import type {
  AnswerOf,
  ParameterOf,
  QueryOf,
  ApiKey,
  AuditLine,
  BodyOf,
  Event,
  Invoice,
  OverlayDonation,
  PublicInvoice,
  UnassignedPayment,
} from './schemas.ts';

/** Options of the client: address, credentials, timeout and retries. */
export type PaywatchOptions = {
  /** The URL of your Paywatch without `/v1`, such as `https://pay.example`. */
  readonly baseUrl: string | undefined;
  /** Use it on servers only. `public` needs no key. */
  readonly apiKey?: string | undefined;
  /** The session token of a login; for the account, its project and its API keys. */
  readonly sessionToken?: string | undefined;
  /** Retries after the first attempt, where they are safe; 2 by default. */
  readonly maxRetries?: number;
  /** A longer Retry-After is not waited for but thrown as an error; 20,000 by default. */
  readonly maxRetryDelayMs?: number;
  /** Timeout of one attempt; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
};

/** A Paywatch client. Every method rejects with a PaywatchError or PaywatchConnectionError. */
export type Paywatch = ReturnType<typeof createPaywatch>;

/** The response to creating an invoice. */
type CreatedInvoice = Invoice & {
  /** The invoice existed already: its `order_id` or idempotency key had been used. */
  readonly replayed: boolean;
  /** The existing invoice was created with different parameters, such as another amount. It was not changed. */
  readonly mismatched: boolean;
};

/** Creates a client. It needs no closing. Throws TypeError for an invalid `baseUrl`. */
export function createPaywatch(options: PaywatchOptions) {
  const connection = connectionOf(options);
  const { apiKey, sessionToken } = options;
  const key = { 'X-Api-Key': apiKey };
  const session = { Authorization: sessionToken && `Bearer ${sessionToken}` };
  return {
    // These operations accept a session too; where both are sent, the API uses the key.
    ...withKey({ ...connection, credentials: { ...session, ...key } }),
    ...withSession({ ...connection, credentials: session }),
    public: withoutCredentials(connection),
  };
}

/** The operations for a shop's server, with an API key. */
function withKey(connection: Connection) {
  const { get, post, postBody, patchBody, remove, list } = operationsOf(connection);
  return {
    invoices: {
      /** Creates an invoice. Safe to repeat: one `order_id` or idempotency key creates one invoice. */
      create: (body: BodyOf<'createInvoice'>, options?: IdempotentCallOptions): Promise<CreatedInvoice> =>
        createInvoice(connection, body, options),
      get: get<'getInvoice'>('/invoices/{}'),
      /** Lists invoices, newest first. */
      list: list<'listInvoices', Invoice>('/invoices'),
      /** Extends an invoice by 15 minutes, once. Rejects with AlreadyExtendedError or InvoiceNotExtendableError. */
      extend: post<'extendInvoice'>('/invoices/{}/extend'),
    },
    events: {
      /** Gets an event with its payload and delivery attempts. */
      get: get<'getEvent'>('/events/{}'),
      /** Lists events, newest first. */
      list: list<'listEvents', Event>('/events'),
      /** Sends the event again, with the same id and body, to the current endpoint. */
      redeliver: postBody<'redeliverEvent'>('/events/{}/redeliver'),
    },
    payments: {
      /** Lists payments to the wallet that belong to no invoice, newest first. */
      listUnassigned: list<'listUnassignedPayments', UnassignedPayment>('/unassigned-payments'),
    },
    wallets: {
      /** Registers an extended public key. The wallet is active once it is verified. */
      create: postBody<'createWallet'>('/wallets', true),
      /** Verifies the wallet with an address that the wallet software shows. */
      verify: postBody<'verifyWallet'>('/wallets/{}/verify', true),
      /** Changes the gap limit of the verified wallet. */
      update: patchBody<'updateWallet'>('/wallets/{}', true),
      /** Cancels the pending change of the wallet. */
      cancelChange: post<'cancelWalletChange'>('/wallets/{}/cancel-change'),
    },
    webhooks: {
      /** Sets the first endpoint of the project. Only this response contains its secret. */
      set: postBody<'setWebhook'>('/webhooks'),
      /** Sends a test event, about an invoice that does not exist. */
      test: postBody<'testWebhook'>('/webhooks/test'),
    },
    webhookEndpoints: {
      /** Adds an endpoint. Only this response and that of `rotateSecret` contain its secret. */
      create: postBody<'createWebhookEndpoint'>('/webhook-endpoints'),
      /** Lists all endpoints, oldest first. */
      list: get<'listWebhookEndpoints'>('/webhook-endpoints'),
      get: get<'getWebhookEndpoint'>('/webhook-endpoints/{}'),
      /** Changes, disables or enables an endpoint; its secret stays. */
      update: patchBody<'updateWebhookEndpoint'>('/webhook-endpoints/{}', true),
      remove: remove<'deleteWebhookEndpoint'>('/webhook-endpoints/{}'),
      /** Sends the events of a time range again, up to 500 for each call; `next_cursor` continues. */
      replay: postBody<'replayWebhookEvents'>('/webhook-endpoints/{}/replay'),
      /** Replaces the secret; the previous one still signs for 24 hours. */
      rotateSecret: post<'rotateWebhookSecret'>('/webhook-endpoints/{}/rotate-secret'),
    },
    paymentLinks: {
      /** Creates a page that sells one thing. */
      create: postBody<'createPaymentLink'>('/payment-links'),
      /** Lists all payment links, newest first. */
      list: get<'listPaymentLinks'>('/payment-links'),
      get: get<'getPaymentLink'>('/payment-links/{}'),
      /** Changes, disables or enables a link. */
      update: patchBody<'updatePaymentLink'>('/payment-links/{}', true),
      remove: remove<'deletePaymentLink'>('/payment-links/{}'),
      /** Replaces the URL of a link; the previous one stops working. */
      rotateToken: post<'rotatePaymentLinkToken'>('/payment-links/{}/rotate-token'),
    },
    stats: { get: get<'getStats'>('/stats') },
  };
}

/** The operations for an account area, with a session. */
function withSession(connection: Connection) {
  const { get, post, postBody, patchBody, remove, list } = operationsOf(connection);
  return {
    account: {
      /** Registers an account. Responds the same for an email that is already registered. */
      register: postBody<'register'>('/auth/register', true),
      login: postBody<'login'>('/auth/login'),
      /** Finishes a login that was rejected with SecondFactorRequiredError, whose `challenge` it needs. */
      verifyLogin: postBody<'verifyLogin'>('/auth/login/verify'),
      /** Gives a code or a passkey again, which allows changes for ten minutes. */
      reauthenticate: postBody<'reauthenticate'>('/auth/reauthenticate'),
      logout: post<'logout'>('/auth/logout'),
      /** Ends all sessions, including this one. */
      logoutAll: post<'logoutAll'>('/auth/logout-all'),
      /** Changes the password and ends all sessions, including this one. */
      changePassword: postBody<'changePassword'>('/auth/change-password'),
      /** Starts a change of email, which both addresses confirm. */
      changeEmail: postBody<'changeEmail'>('/auth/change-email'),
      /** Which notices are mailed. */
      getNotices: get<'getNotices'>('/notices'),
      updateNotices: patchBody<'updateNotices'>('/notices', true),
      /** The account and its project: wallets, endpoint, links, subscription. */
      me: get<'getMe'>('/me'),
    },
    subscription: {
      get: get<'getSubscription'>('/subscription'),
      /** Creates a purchase of more days, or returns the open purchase of the same currency. */
      purchase: postBody<'createPurchase'>('/subscription/purchases', true),
    },
    project: {
      update: patchBody<'updateProject'>('/project', true),
      /** Replaces the link of the donation page, overlay or control page; the previous one stops working. */
      rotateToken: post<'rotateProjectToken'>('/project/tokens/{}/rotate'),
      /** Reads the settings of the overlay. */
      getOverlaySettings: get<'getOverlaySettings'>('/overlay/settings'),
      /** Changes the settings of the overlay; open overlays apply them within a second. */
      updateOverlaySettings: patchBody<'updateOverlaySettings'>('/overlay/settings', true),
      /** Shows a test donation on the overlay. */
      testOverlay: post<'testOverlay'>('/overlay/test'),
    },
    auditLog: {
      /** Lists who changed what, newest first. */
      list: list<'listAuditLog', AuditLine>('/audit-log'),
    },
    apiKeys: {
      /** Creates an API key. Only this response contains its token. */
      create: postBody<'createApiKey'>('/api-keys'),
      list: list<'listApiKeys', ApiKey>('/api-keys'),
      /** Revokes an API key, effective immediately. */
      revoke: remove<'revokeApiKey'>('/api-keys/{}', true),
    },
  };
}

/** The operations for payers, donors and overlays, without credentials; they work in browsers too. */
function withoutCredentials(connection: Connection) {
  const { get, postBody, follow } = operationsOf(connection);
  return {
    getInvoice: get<'getPublicInvoice'>('/public/invoices/{}'),
    /** Streams the invoice now and after every change. Ends some minutes after the outcome. */
    followInvoice: follow<PublicInvoice>('/public/invoices/{}/events'),
    getDonationLink: get<'getDonationLink'>('/public/donate/{}'),
    /** Creates a donation. Not retried after a lost connection, which could create a second one. */
    createDonation: postBody<'createDonation'>('/public/donate/{}'),
    getPaymentLink: get<'getPublicPaymentLink'>('/public/links/{}'),
    /** Buys by a payment link. Not retried after a lost connection, which could create a second order. */
    buyByPaymentLink: postBody<'buyByPaymentLink'>('/public/links/{}'),
    getFeeEstimate: get<'getFeeEstimate'>('/public/fee/{}'),
    /** The price of one coin that a priced order would get now. */
    getExchangeRate: (
      currency: ParameterOf<'getExchangeRate'>,
      query: QueryOf<'getExchangeRate'>,
      options?: CallOptions,
    ) => getExchangeRate(connection, currency, query, options),
    /** Streams confirmed donations without end; `lastEventId` resumes after that message. */
    followOverlay: follow<OverlayDonation>('/public/overlay/{}/events'),
  };
}

async function getExchangeRate(
  connection: Connection,
  currency: ParameterOf<'getExchangeRate'>,
  query: QueryOf<'getExchangeRate'>,
  options: CallOptions | undefined,
): Promise<AnswerOf<'getExchangeRate'>> {
  const line = `GET /public/rates/${encodeURIComponent(currency)}` as const;
  return (await call<'getExchangeRate'>(connection, { line, query }, options)).body;
}

async function createInvoice(
  connection: Connection,
  body: BodyOf<'createInvoice'>,
  { idempotencyKey = crypto.randomUUID(), ...options }: IdempotentCallOptions = {},
): Promise<CreatedInvoice> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const request = { line: 'POST /invoices', body, headers, idempotent: true } as const;
  const answer = await call<'createInvoice'>(connection, request, options);
  const isSet = (name: string) => answer.headers.get(name) === 'true';
  return {
    ...answer.body,
    replayed: isSet('Idempotent-Replayed'),
    mismatched: isSet('Idempotency-Mismatch'),
  };
}

function connectionOf(options: PaywatchOptions): Connection {
  const { baseUrl = '' } = options;
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must start with http:// or https://');
  return {
    maxRetries: 2,
    maxRetryDelayMs: 20_000,
    timeoutMs: 30_000,
    fetch,
    ...definedOf(options),
    baseUrl: `${baseUrl.replace(/\/+$/, '')}/v1`,
  };
}
