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

/** Where Paywatch is, who asks, and how patiently. */
export type PaywatchOptions = {
  /** Without `/v1`: `https://pay.example`. */
  readonly baseUrl: string | undefined;
  /** Kept on servers only. The public part needs none. */
  readonly apiKey?: string | undefined;
  /** Of a login; for the account, its project and its API keys. */
  readonly sessionToken?: string | undefined;
  /** Tries after the first one, where a repetition is safe: 2. */
  readonly maxRetries?: number;
  /** An answer that asks to wait longer than this is an error at once: 20,000. */
  readonly maxRetryDelayMs?: number;
  /** How long one try may take: 30,000. */
  readonly timeoutMs?: number;
  /** Another fetch than the global one. */
  readonly fetch?: typeof fetch;
};

/** A client of one Paywatch. Every method rejects with a PaywatchError or PaywatchConnectionError. */
export type Paywatch = ReturnType<typeof createPaywatch>;

/** An invoice as creating it answers. */
type CreatedInvoice = Invoice & {
  /** It existed before: the `order_id` or the idempotency key had been used. */
  readonly replayed: boolean;
  /** It existed before and was asked for differently then, with another amount for example: nothing was changed. */
  readonly mismatched: boolean;
};

/** A client. It holds no connection of its own and needs no closing. Throws TypeError where an option is wrong. */
export function createPaywatch(options: PaywatchOptions) {
  const connection = connectionOf(options);
  const { apiKey, sessionToken } = options;
  const key = definedOf({ 'X-Api-Key': apiKey });
  const session = definedOf({ Authorization: sessionToken && `Bearer ${sessionToken}` });
  return {
    // A session may do all that a key may, but a key decides where both are sent.
    ...withKey({ ...connection, credentials: { ...session, ...key } }),
    ...withSession({ ...connection, credentials: session }),
    public: withoutCredentials(connection),
  };
}

/** What a shop's server does, with an API key. */
function withKey(connection: Connection) {
  const { ask, tell, list } = operationsOf(connection);
  return {
    invoices: {
      /** Asks for money. Safe to repeat: one `order_id`, or one idempotency key, is one invoice. */
      create: (body: BodyOf<'createInvoice'>, options?: IdempotentCallOptions): Promise<CreatedInvoice> =>
        createInvoice(connection, body, options),
      get: ask<'getInvoice'>('GET /invoices/{}'),
      /** Newest first; without a filter all of them. */
      list: list<'listInvoices', Invoice>('GET /invoices'),
      /** 15 minutes more, once. Rejects with AlreadyExtendedError or InvoiceNotExtendableError. */
      extend: ask<'extendInvoice'>('POST /invoices/{}/extend'),
    },
    events: {
      /** With its body and every attempt to deliver it. */
      get: ask<'getEvent'>('GET /events/{}'),
      /** Newest first; without a filter all of them. */
      list: list<'listEvents', Event>('GET /events'),
      /** Sends the same bytes under the same id to the endpoint of now. */
      redeliver: ask<'redeliverEvent'>('POST /events/{}/redeliver'),
    },
    payments: {
      /** Money that came to the wallet and belongs to no invoice, newest first. */
      listUnassigned: list<'listUnassignedPayments', UnassignedPayment>('GET /unassigned-payments'),
    },
    wallets: {
      /** Brings an extended public key; it serves once it is verified. */
      create: tell<'createWallet'>('POST /wallets', true),
      /** Proves that the key is the wallet's, with an address that its software shows. */
      verify: tell<'verifyWallet'>('POST /wallets/{}/verify', true),
    },
    webhooks: {
      /** Names the one endpoint of the project. The answer holds its secret, this once. */
      set: tell<'setWebhook'>('POST /webhooks'),
      /** Sends an event about an invoice that does not exist. */
      test: tell<'testWebhook'>('POST /webhooks/test'),
    },
    stats: { get: ask<'getStats'>('GET /stats') },
  };
}

/** What an account area does, with a session. */
function withSession(connection: Connection) {
  const { ask, tell, list } = operationsOf(connection);
  return {
    account: {
      /** Answers the same whether or not the email was used before; logging in tells. */
      register: tell<'register'>('POST /auth/register', true),
      login: tell<'login'>('POST /auth/login'),
      logout: ask<'logout'>('POST /auth/logout'),
      /** Ends the sessions on all devices. */
      logoutAll: ask<'logoutAll'>('POST /auth/logout-all'),
      /** Ends all sessions, this one too. */
      changePassword: tell<'changePassword'>('POST /auth/change-password'),
      /** The account and its project: wallets, endpoint, links, subscription. */
      me: ask<'getMe'>('GET /me'),
    },
    subscription: {
      get: ask<'getSubscription'>('GET /subscription'),
      /** Pays for more days. One of the currency that is still open is answered in place of a second. */
      purchase: tell<'createPurchase'>('POST /subscription/purchases', true),
    },
    project: {
      update: tell<'updateProject'>('PATCH /project', true),
      /** A new donation or overlay link; the old one works no more. */
      rotateToken: ask<'rotateProjectToken'>('POST /project/tokens/{}/rotate'),
      /** Shows a donation on the overlay that nobody paid. */
      testOverlay: ask<'testOverlay'>('POST /overlay/test'),
    },
    apiKeys: {
      /** The answer holds the token, this once. */
      create: tell<'createApiKey'>('POST /api-keys'),
      list: list<'listApiKeys', ApiKey>('GET /api-keys'),
      /** It works nowhere any more once this resolves. */
      revoke: ask<'revokeApiKey'>('DELETE /api-keys/{}', true),
    },
  };
}

/** What payers, donors and overlays do, in browsers too. */
function withoutCredentials(connection: Connection) {
  const { ask, tell, follow } = operationsOf(connection);
  return {
    getInvoice: ask<'getPublicInvoice'>('GET /public/invoices/{}'),
    /** The invoice now and after every change, until its outcome is some minutes old. */
    followInvoice: follow<PublicInvoice>('GET /public/invoices/{}/events'),
    getDonationLink: ask<'getDonationLink'>('GET /public/donate/{}'),
    /** Not repeated by itself after a lost connection: a second donation would wait for money of its own. */
    createDonation: tell<'createDonation'>('POST /public/donate/{}'),
    getFeeEstimate: ask<'getFeeEstimate'>('GET /public/fee/{}'),
    /** Each confirmed donation, without end; with `lastEventId` those since then first. */
    followOverlay: follow<OverlayDonation>('GET /public/overlay/{}/events'),
  };
}

async function createInvoice(
  connection: Connection,
  body: BodyOf<'createInvoice'>,
  { idempotencyKey = crypto.randomUUID(), ...options }: IdempotentCallOptions = {},
): Promise<CreatedInvoice> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const request = { line: 'POST /invoices', body, headers, repeatable: true } as const;
  const answer = await call<'createInvoice'>(connection, request, options);
  const says = (name: string) => answer.headers.get(name) === 'true';
  return {
    ...answer.body,
    replayed: says('Idempotent-Replayed'),
    mismatched: says('Idempotency-Mismatch'),
  };
}

function connectionOf(options: PaywatchOptions): Connection {
  const { baseUrl = '' } = options;
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must be the address of a Paywatch');
  return {
    maxRetries: 2,
    maxRetryDelayMs: 20_000,
    timeoutMs: 30_000,
    fetch,
    ...definedOf(options),
    baseUrl: `${baseUrl.replace(/\/+$/, '')}/v1`,
  };
}
