import type { EventDetail, EventView } from '../../../resources/webhooks/events.ts';
import type { UnassignedPaymentView } from '../../../resources/invoices/unassigned-payments.ts';
import type { WalletView } from '../../../resources/wallets.ts';
import { API_VERSION, type EventBody, type NewWebhookView } from '../../../resources/webhooks/webhooks.ts';
import { invoice } from './invoices.ts';
import type { OperationExample } from '../operation-example.ts';

/** What a wallet has once it serves. */
export const SERVING = { verified: true, serving: true, effective_at: '2026-11-01T09:12:00.000Z' } as const;

/** A wallet that is not verified yet. */
export const wallet: WalletView = {
  currency: 'BTC',
  script_type: 'p2wpkh',
  derivation_path: "m/84'/0'/0'",
  verified: false,
  serving: false,
  effective_at: null,
  verification_address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  next_index: 1,
  gap_limit: 20,
  notice:
    'Register an account of your wallet that receives nothing else: other money that comes in there uses up addresses. Set the gap limit of your wallet software to at least 20 before the first invoice, or it may not find every payment.',
};

const unassignedPayment: UnassignedPaymentView = {
  currency: 'BTC',
  txid: '0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098',
  vout: 0,
  address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  address_index: 12,
  amount: '50000',
  status: 'confirmed',
  confirmations: 2,
  block_height: 902104,
  block_hash: '00000000000000000001a7c3f1b0d5a9e4c2b8f60718293a4b5c6d7e8f905678',
  first_seen_at: '2026-11-20T09:41:02.000Z',
};

const newWebhook: NewWebhookView = {
  url: 'https://shop.example/webhooks/paywatch',
  secret: 'whsec_<base64>',
  created_at: '2026-11-01T09:20:00.000Z',
};

/** The body of a webhook, as the reference shows it. */
export const EVENT_BODY_EXAMPLE: EventBody = {
  id: 'evt_4GqYw9TtC2sLx6DnKa8ZhM',
  type: 'invoice.confirmed',
  api_version: API_VERSION,
  created_at: '2026-11-20T12:21:40.120Z',
  data: { invoice, previous_status: 'pending' },
};

const event: EventView = {
  id: EVENT_BODY_EXAMPLE.id,
  type: EVENT_BODY_EXAMPLE.type,
  public_id: invoice.public_id,
  test: false,
  created_at: EVENT_BODY_EXAMPLE.created_at,
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
  body: EVENT_BODY_EXAMPLE,
  deliveries: [{ endpoint_id: 'we_3Fd8sKjQw5ZxVn2MtRcPyB', ...event.delivery }],
  attempts: [
    {
      endpoint_id: 'we_3Fd8sKjQw5ZxVn2MtRcPyB',
      attempted_at: '2026-11-20T12:21:40.301Z',
      url: 'https://shop.example/webhooks/paywatch',
      response_status: 200,
      response_body: 'ok',
      duration_ms: 229,
      error: null,
    },
  ],
};

/** Examples for wallets, webhook endpoints and their deliveries. */
export const setupExamples = {
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
    response: { ...wallet, ...SERVING },
  },
  updateWallet: {
    request: { gap_limit: 40 },
    response: {
      ...wallet,
      ...SERVING,
      gap_limit: 40,
      next_index: 3,
      notice: wallet.notice.replace('at least 20', 'at least 40'),
    },
  },
  listUnassignedPayments: { response: { data: [unassignedPayment], next_cursor: null } },
  setWebhook: { request: { url: newWebhook.url }, response: newWebhook },
  testWebhook: { request: { type: 'invoice.confirmed' }, response: { ...pendingEvent, test: true } },
  listEvents: { response: { data: [event], next_cursor: null } },
  getEvent: { response: eventDetail },
  redeliverEvent: {
    request: { endpoint_id: 'we_3Fd8sKjQw5ZxVn2MtRcPyB' },
    response: { ...pendingEvent, delivery: { ...pendingEvent.delivery, attempt_count: 1 } },
  },
} as const satisfies Record<string, OperationExample>;
