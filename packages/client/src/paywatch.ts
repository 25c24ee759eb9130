import { call, type Connection, type IdempotentCallOptions } from './call.ts';
import { definedOf } from './defined-of.ts';
import { operationsOf } from './operations.ts';
import type {
  ApiKey,
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
  const key = definedOf({ 'X-Api-Key': apiKey });
  const session = definedOf({ Authorization: sessionToken && `Bearer ${sessionToken}` });
  return {
    // These operations accept a session too; where both are sent, the API uses the key.
    ...withKey({ ...connection, credentials: { ...session, ...key } }),
    ...withSession({ ...connection, credentials: session }),
    public: withoutCredentials(connection),
  };
}

/** The operations for a shop's server, with an API key. */
function withKey(connection: Connection) {
  const { noBody, withBody, list } = operationsOf(connection);
  return {
    invoices: {
      /** Creates an invoice. Safe to repeat: one `order_id` or idempotency key creates one invoice. */
      create: (body: BodyOf<'createInvoice'>, options?: IdempotentCallOptions): Promise<CreatedInvoice> =>
        createInvoice(connection, body, options),
      get: noBody<'getInvoice'>('GET /invoices/{}'),
      /** Lists invoices, newest first. */
      list: list<'listInvoices', Invoice>('GET /invoices'),
      /** Extends an invoice by 15 minutes, once. Rejects with AlreadyExtendedError or InvoiceNotExtendableError. */
      extend: noBody<'extendInvoice'>('POST /invoices/{}/extend'),
    },
    events: {
      /** Gets an event with its payload and delivery attempts. */
      get: noBody<'getEvent'>('GET /events/{}'),
      /** Lists events, newest first. */
      list: list<'listEvents', Event>('GET /events'),
      /** Sends the event again, with the same id and body, to the current endpoint. */
      redeliver: noBody<'redeliverEvent'>('POST /events/{}/redeliver'),
    },
    payments: {
      /** Lists payments to the wallet that belong to no invoice, newest first. */
      listUnassigned: list<'listUnassignedPayments', UnassignedPayment>('GET /unassigned-payments'),
    },
    wallets: {
      /** Registers an extended public key. The wallet is active once it is verified. */
      create: withBody<'createWallet'>('POST /wallets', true),
      /** Verifies the wallet with an address that the wallet software shows. */
      verify: withBody<'verifyWallet'>('POST /wallets/{}/verify', true),
    },
    webhooks: {
      /** Sets the endpoint of the project. Only this response contains its secret. */
      set: withBody<'setWebhook'>('POST /webhooks'),
      /** Sends a test event, about an invoice that does not exist. */
      test: withBody<'testWebhook'>('POST /webhooks/test'),
    },
    stats: { get: noBody<'getStats'>('GET /stats') },
  };
}

/** The operations for an account area, with a session. */
function withSession(connection: Connection) {
  const { noBody, withBody, list } = operationsOf(connection);
  return {
    account: {
      /** Registers an account. Responds the same for an email that is already registered. */
      register: withBody<'register'>('POST /auth/register', true),
      login: withBody<'login'>('POST /auth/login'),
      logout: noBody<'logout'>('POST /auth/logout'),
      /** Ends all sessions, including this one. */
      logoutAll: noBody<'logoutAll'>('POST /auth/logout-all'),
      /** Changes the password and ends all sessions, including this one. */
      changePassword: withBody<'changePassword'>('POST /auth/change-password'),
      /** The account and its project: wallets, endpoint, links, subscription. */
      me: noBody<'getMe'>('GET /me'),
    },
    subscription: {
      get: noBody<'getSubscription'>('GET /subscription'),
      /** Creates a purchase of more days, or returns the open purchase of the same currency. */
      purchase: withBody<'createPurchase'>('POST /subscription/purchases', true),
    },
    project: {
      update: withBody<'updateProject'>('PATCH /project', true),
      /** Replaces the donation or overlay link; the previous one stops working. */
      rotateToken: noBody<'rotateProjectToken'>('POST /project/tokens/{}/rotate'),
      /** Shows a test donation on the overlay. */
      testOverlay: noBody<'testOverlay'>('POST /overlay/test'),
    },
    apiKeys: {
      /** Creates an API key. Only this response contains its token. */
      create: withBody<'createApiKey'>('POST /api-keys'),
      list: list<'listApiKeys', ApiKey>('GET /api-keys'),
      /** Revokes an API key, effective immediately. */
      revoke: noBody<'revokeApiKey'>('DELETE /api-keys/{}', true),
    },
  };
}

/** The operations for payers, donors and overlays, without credentials; they work in browsers too. */
function withoutCredentials(connection: Connection) {
  const { noBody, withBody, follow } = operationsOf(connection);
  return {
    getInvoice: noBody<'getPublicInvoice'>('GET /public/invoices/{}'),
    /** Streams the invoice now and after every change. Ends some minutes after the outcome. */
    followInvoice: follow<PublicInvoice>('GET /public/invoices/{}/events'),
    getDonationLink: noBody<'getDonationLink'>('GET /public/donate/{}'),
    /** Creates a donation. Not retried after a lost connection, which could create a second one. */
    createDonation: withBody<'createDonation'>('POST /public/donate/{}'),
    getFeeEstimate: noBody<'getFeeEstimate'>('GET /public/fee/{}'),
    /** Streams confirmed donations without end; `lastEventId` resumes after that message. */
    followOverlay: follow<OverlayDonation>('GET /public/overlay/{}/events'),
  };
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
