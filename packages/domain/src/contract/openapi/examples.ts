import { API_VERSION, type EventBody, type NewWebhookView } from '../webhooks.ts';
import type { ApiKeyView, NewApiKeyView } from '../api-keys.ts';
import type { DoneView, SessionView } from '../auth.ts';
import type { DonationLinkInfo, NewDonationView } from '../donations.ts';
import type { EventDetail, EventView } from '../events.ts';
import type { FeeView } from '../fees.ts';
import type { InvoiceView, PaymentView, PublicInvoiceView } from '../invoices.ts';
import type { MeView, RotatedTokenView } from '../me.ts';
import type { OperationId } from '../operations.ts';
import type { OverlayDonation } from '../overlay.ts';
import type { StatsView } from '../stats.ts';
import type { PurchaseView } from '../subscription.ts';
import type { WalletView } from '../wallets.ts';

/** What the reference shows for one operation: a request body where it takes one, and the body of its success. */
interface OperationExample {
  readonly request?: unknown;
  readonly response: unknown;
}

const purchase: PurchaseView = {
  public_id: 'inv_4GqYw9TtC2sLx6DnKa8ZhM',
  pay_url: 'https://pay.example/pay/inv_4GqYw9TtC2sLx6DnKa8ZhM',
  currency: 'BTC',
  amount: '30000',
  days: 30,
  status: 'new',
  received_amount: '0',
  extended_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T13:00:00.000Z',
};

const payment: PaymentView = {
  txid: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
  vout: 0,
  amount: '123400',
  status: 'confirmed',
  late: false,
  confirmations: 2,
  block_height: 902115,
  block_hash: '00000000000000000001a7c3f1b0d5a9e4c2b8f60718293a4b5c6d7e8f901234',
  first_seen_at: '2026-11-20T12:03:11.482Z',
};

const invoice: InvoiceView = {
  public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
  type: 'order',
  status: 'confirmed',
  currency: 'BTC',
  address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  address_index: 1,
  address_reused: false,
  expected_amount: '123400',
  received_amount: '123400',
  confirmed_amount: '123400',
  due_amount: '0',
  overpaid_amount: '0',
  confirmations: 2,
  confirmations_required: 1,
  order_id: 'order-1001',
  donor_name: null,
  donor_message: null,
  return_url: 'https://shop.example/thanks',
  pay_url: 'https://pay.example/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb',
  payment_uri: null,
  payments: [payment],
  reversed: false,
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T13:15:00.000Z',
  extended: true,
  ttl_seconds: 3600,
  version: 4,
};

const newInvoice: InvoiceView = {
  ...invoice,
  status: 'new',
  received_amount: '0',
  confirmed_amount: '0',
  due_amount: '123400',
  confirmations: 0,
  payment_uri: 'bitcoin:bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g?amount=0.001234',
  payments: [],
  expires_at: '2026-11-20T13:00:00.000Z',
  extended: false,
  version: 1,
};

const publicInvoice: PublicInvoiceView = withoutOwnersFields(invoice);

function withoutOwnersFields(owners: InvoiceView): PublicInvoiceView {
  const { order_id: _orderId, ttl_seconds: _ttlSeconds, address_index: _addressIndex, ...shared } = owners;
  return {
    ...shared,
    project_name: 'Example Shop',
    network: 'mainnet',
    explorer_url: 'https://explorer.example',
    chain_delayed: false,
  };
}

const eventBody: EventBody = {
  id: 'evt_4GqYw9TtC2sLx6DnKa8ZhM',
  type: 'invoice.confirmed',
  api_version: API_VERSION,
  created_at: '2026-11-20T12:21:40.120Z',
  data: { invoice, previous_status: 'pending' },
};

const event: EventView = {
  id: eventBody.id,
  type: eventBody.type,
  public_id: invoice.public_id,
  test: false,
  created_at: eventBody.created_at,
  delivery: {
    status: 'delivered',
    attempt_count: 1,
    next_attempt_at: null,
    delivered_at: '2026-11-20T12:21:40.530Z',
  },
};

const pendingEvent: EventView = {
  ...event,
  delivery: {
    status: 'pending',
    attempt_count: 0,
    next_attempt_at: '2026-11-20T12:25:00.000Z',
    delivered_at: null,
  },
};

const eventDetail: EventDetail = {
  ...event,
  body: eventBody,
  attempts: [
    {
      attempted_at: '2026-11-20T12:21:40.301Z',
      url: 'https://shop.example/webhooks/paywatch',
      response_status: 200,
      response_body: 'ok',
      duration_ms: 229,
      error: null,
    },
  ],
};

const wallet: WalletView = {
  currency: 'BTC',
  script_type: 'p2wpkh',
  derivation_path: "m/84'/0'/0'",
  verified: false,
  verification_address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  next_index: 1,
  gap_limit: 20,
  notice:
    'Set the gap limit of your wallet software to at least 20 before the first invoice, or it may not find every payment.',
};

const { notice: _notice, ...walletFields } = wallet;

const me: MeView = {
  account: { email: 'merchant@example.com', created_at: '2026-11-01T09:00:00.000Z' },
  project: {
    name: 'Example Shop',
    donate_token: 'q7Zt4nHvW2kXy9BcLm3Rd8',
    donate_url: 'https://pay.example/donate/q7Zt4nHvW2kXy9BcLm3Rd8',
    overlay_token: 'h5Pq8sJrT6mNw2VxKc9Fb4',
    overlay_url: 'https://pay.example/overlay/h5Pq8sJrT6mNw2VxKc9Fb4',
    subscription: { active: true, active_until: '2026-12-01T09:00:00.000Z' },
    wallets: [
      { ...walletFields, verified: true, next_index: 2, addresses: { free: 19, leased: 1, quarantined: 0 } },
    ],
    wallet_changes: [
      {
        currency: 'BTC',
        action: 'verified',
        verification_address: wallet.verification_address,
        actor: 'session',
        at: '2026-11-01T09:12:00.000Z',
      },
      {
        currency: 'BTC',
        action: 'registered',
        verification_address: wallet.verification_address,
        actor: 'session',
        at: '2026-11-01T09:11:00.000Z',
      },
    ],
    webhook: {
      url: 'https://shop.example/webhooks/paywatch',
      created_at: '2026-11-01T09:20:00.000Z',
      status: 'healthy',
      failing_since: null,
    },
  },
};

const apiKey: ApiKeyView = {
  key_public: '7Hq2VxN9',
  scope: 'full',
  created_at: '2026-11-01T09:10:00.000Z',
  last_used_at: '2026-11-20T12:00:00.000Z',
  revoked_at: null,
};

const overlayDonation: OverlayDonation = {
  public_id: 'inv_2MhTz7QkV9cWn4RsXp6JdL',
  donor_name: 'Satoshi',
  donor_message: 'Great stream!',
  amount: '50000',
  currency: 'BTC',
  confirmed_at: '2026-11-20T12:21:40.120Z',
  test: false,
};

const done: DoneView = { ok: true };
const session: SessionView = { session_token: 's3ssI0nT0ken', expires_at: '2026-11-27T12:00:00.000Z' };
const newApiKey: NewApiKeyView = {
  key_public: apiKey.key_public,
  token: 'pw_7Hq2VxN9_<secret>',
  scope: 'full',
  created_at: apiKey.created_at,
};
const newWebhook: NewWebhookView = {
  url: 'https://shop.example/webhooks/paywatch',
  secret: 'whsec_<base64>',
  created_at: '2026-11-01T09:20:00.000Z',
};
const rotatedToken: RotatedTokenView = {
  kind: 'donate',
  token: me.project.donate_token,
  url: me.project.donate_url,
};
const donationLink: DonationLinkInfo = {
  project_name: 'Example Shop',
  currencies: ['BTC'],
  accepting: true,
  limits: {
    donor_name_max_length: 50,
    donor_message_max_length: 200,
    amounts: {
      BTC: { min: '546', max: '2100000000000000' },
      LTC: { min: '5460', max: '8400000000000000' },
    },
  },
};
const newDonation: NewDonationView = {
  public_id: overlayDonation.public_id,
  pay_url: 'https://pay.example/pay/inv_2MhTz7QkV9cWn4RsXp6JdL',
};
const fee: FeeView = {
  currency: 'BTC',
  unit: 'sat/vB',
  fast: '12.5',
  normal: '6',
  economy: '1.2',
  target_blocks: { fast: 1, normal: 6, economy: 144 },
  estimated_at: '2026-11-20T12:00:00.000Z',
  stale: false,
};
const stats: StatsView = {
  accepted: { BTC: { amount: '123400', count: 1 }, LTC: { amount: '0', count: 0 } },
  statuses: { new: 0, pending: 0, confirmed: 1, underpaid: 0, expired: 0, late_payment: 0 },
  types: { donation: 0, order: 1 },
  activity: [{ date: '2026-11-20', created: 1, confirmed: 1, accepted: { BTC: '123400', LTC: '0' } }],
};
const credentials = { email: 'merchant@example.com', password: 'correct horse battery staple' };

/** One example for every operation; the tests parse each with the schema it illustrates. */
export const OPERATION_EXAMPLES = {
  register: { request: credentials, response: done },
  login: { request: credentials, response: session },
  logout: { response: done },
  logoutAll: { response: done },
  changePassword: {
    request: { current_password: credentials.password, new_password: 'a longer and better one' },
    response: done,
  },
  getMe: { response: me },
  getSubscription: {
    response: {
      ...me.project.subscription,
      offer: { days: 30, prices: [{ currency: 'BTC', amount: purchase.amount }] },
      purchases: [purchase],
    },
  },
  createPurchase: { request: { currency: 'BTC' }, response: purchase },
  updateProject: { request: { name: 'Example Shop' }, response: me.project },
  rotateProjectToken: { response: rotatedToken },
  createApiKey: { request: { scope: 'full' }, response: newApiKey },
  listApiKeys: { response: { data: [apiKey], next_cursor: null } },
  revokeApiKey: { response: { ...apiKey, revoked_at: '2026-11-20T12:30:00.000Z' } },
  createWallet: {
    request: {
      currency: 'BTC',
      xpub: 'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
      derivation_path: "m/84'/0'/0'",
    },
    response: wallet,
  },
  verifyWallet: {
    request: { address: wallet.verification_address },
    response: { ...wallet, verified: true },
  },
  setWebhook: { request: { url: newWebhook.url }, response: newWebhook },
  testWebhook: { request: { type: 'invoice.confirmed' }, response: { ...pendingEvent, test: true } },
  listEvents: { response: { data: [event], next_cursor: null } },
  getEvent: { response: eventDetail },
  redeliverEvent: { response: { ...pendingEvent, delivery: { ...pendingEvent.delivery, attempt_count: 1 } } },
  createInvoice: {
    request: {
      currency: 'BTC',
      type: 'order',
      expected_amount: '123400',
      order_id: 'order-1001',
      return_url: 'https://shop.example/thanks',
    },
    response: newInvoice,
  },
  listInvoices: { response: { data: [invoice], next_cursor: null } },
  getInvoice: { response: invoice },
  extendInvoice: {
    response: { ...newInvoice, expires_at: '2026-11-20T13:15:00.000Z', extended: true, version: 2 },
  },
  getStats: { response: stats },
  getPublicInvoice: { response: publicInvoice },
  streamPublicInvoice: { response: streamText('status', '4', publicInvoice) },
  getDonationLink: { response: donationLink },
  createDonation: {
    request: { currency: 'BTC', amount: '50000', donor_name: 'Satoshi', donor_message: 'Great stream!' },
    response: newDonation,
  },
  getFeeEstimate: { response: fee },
  streamOverlay: { response: streamText('donation', '42', overlayDonation) },
  testOverlay: {
    response: {
      ...overlayDonation,
      donor_name: 'Test donor',
      donor_message: 'This is how a donation looks.',
      test: true,
    },
  },
} as const satisfies Record<OperationId, OperationExample>;

/** The body of a webhook, as the reference shows it. */
export const EVENT_BODY_EXAMPLE: EventBody = eventBody;

function streamText(name: string, id: string, data: unknown): string {
  return `retry: 3000\n\nid: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
