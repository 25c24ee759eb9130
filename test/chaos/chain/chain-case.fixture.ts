import { createMerchantWallet } from '@paywatch/dev/wallet';
import type { Case } from './judge/compare/compare-invoice.ts';
import type { Answer, Money } from './judge/decide-from-history.ts';
import type { EventBody, OwnerView, ShownPayment } from '../lease/owner-view.ts';
import { specAddresses } from '../spec/spec-addresses.ts';
import type { RpcBlock } from './sources/rpc-block.ts';

/** An order of 1000 that was paid 20 seconds after its creation and confirmed, and its webhook: all of it right. */
const START_MS = Date.parse('2026-05-01T12:00:00.000Z');
const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
export const hashOf = (digit: string): string => digit.repeat(64);

const { xpub } = createMerchantWallet('BTC');
const addresses = specAddresses('BTC', xpub, { scriptType: 'p2wpkh' });
const INDEX = 4;
const SCRIPT = addresses.scriptHexAt(INDEX);
const TXID = hashOf('a');

export const payment: ShownPayment = {
  txid: TXID,
  vout: 1,
  amount: '1000',
  status: 'confirmed',
  late: false,
  confirmations: 2,
  block_height: 8,
  block_hash: hashOf('8'),
  first_seen_at: at(20),
};

export const invoice: OwnerView = {
  public_id: `inv_${'k'.repeat(22)}`,
  type: 'order',
  status: 'confirmed',
  currency: 'BTC',
  address: addresses.addressAt(INDEX),
  address_index: INDEX,
  address_reused: false,
  expected_amount: '1000',
  received_amount: '1000',
  confirmed_amount: '1000',
  due_amount: '0',
  overpaid_amount: '0',
  price: null,
  rate: null,
  accepted_in_fiat: null,
  confirmations: 2,
  confirmations_required: 1,
  order_id: 'order 7',
  donor_name: null,
  donor_message: null,
  return_url: 'https://shop.example/7',
  renew_url: 'https://shop.example/7/pay',
  description: 'Order 7',
  lines: [{ name: 'Tea', quantity: 2, amount: null }],
  pay_url: `https://pay.example/pay/inv_${'k'.repeat(22)}`,
  payment_uri: null,
  payments: [payment],
  reversed: false,
  created_at: at(0),
  expires_at: at(90),
  extended: false,
  ttl_seconds: 90,
  version: 3,
};

export const event: EventBody = {
  id: 'evt_abc',
  type: 'invoice.confirmed',
  api_version: '1.0',
  created_at: at(40),
  data: { invoice, previous_status: 'pending' },
};

export const money: Money = {
  id: TXID,
  outputs: [{ vout: 1, amount: 1000n }],
  claims: ['coin:0'],
  sentMs: START_MS + 20_000,
  isPegOut: false,
};

const paying = { txid: TXID, claims: ['coin:0'], outputs: [{ vout: 1, amount: 1000n, scriptHex: SCRIPT }] };
const timeMs = START_MS + 30_000;
export const blocks: RpcBlock[] = [
  { hash: hashOf('8'), height: 8, prevHash: hashOf('7'), timeMs, transactions: [paying] },
  { hash: hashOf('9'), height: 9, prevHash: hashOf('8'), timeMs, transactions: [] },
];

const right: Answer = { status: 'confirmed', isReversed: false, events: ['invoice.confirmed'], late: [] };

/** An arrival of the event with changes. */
export function arrival(body: unknown = event): Case['arrived'][number] {
  return { rawBody: JSON.stringify(body), receivedAtMs: START_MS + 41_000 };
}

/** What payers are shown of it. */
export function publicView(view: OwnerView): Record<string, unknown> {
  const {
    order_id: _order,
    ttl_seconds: _ttl,
    address_index: _index,
    accepted_in_fiat: _worth,
    ...shared
  } = view;
  return {
    ...shared,
    project_name: null,
    branding: null,
    network: 'regtest',
    explorer_url: null,
    chain_delayed: false,
  };
}

/** The case with other views of the invoice, other webhooks or another history. */
export function caseWith(change: Partial<Case> & { view?: Case['view'] } = {}): Case {
  const shown = (change.shown ?? invoice) as OwnerView;
  return {
    sale: {
      publicId: invoice.public_id,
      currency: 'BTC',
      type: 'order',
      asked: 1000n,
      ttlSeconds: 90,
      orderId: 'order 7',
      donorName: null,
      donorMessage: null,
      returnUrl: 'https://shop.example/7',
      renewUrl: 'https://shop.example/7/pay',
      description: 'Order 7',
      lines: [{ name: 'Tea', quantity: 2, amount: null }],
      publicUrl: 'https://pay.example',
      addresses,
      addressIndex: INDEX,
      isReused: false,
      createdAt: at(0),
      requestedMs: START_MS - 200,
      answeredMs: START_MS + 200,
      imported: null,
      extension: null,
    },
    terms: {
      type: 'order',
      asked: 1000n,
      toleranceBps: 0,
      confirmationsRequired: 1,
      deadlineMs: { earliest: START_MS + 93_000, latest: START_MS + 93_000 },
    },
    scriptHex: SCRIPT,
    foreign: new Set(),
    money: [money],
    answers: [right],
    view: viewAt({ height: 8, timeMs }),
    views: [viewAt({ height: 8, timeMs })],
    blocks,
    knownBlocks: new Map(blocks.map((block) => [block.hash, block])),
    shown,
    shownToPayers: publicView(shown),
    arrived: [arrival()],
    ...change,
  };
}

/** The last view of the chain, with the payment in a place. */
export function viewAt(place: { height: number; timeMs: number } | 'mempool' | null): Case['view'] {
  return {
    fromMs: START_MS,
    toMs: START_MS + 200_000,
    tipHeight: 9,
    places: new Map([[TXID, place]]),
    enteredMs: new Map(),
    behindMs: new Map(),
    conflicts: new Map(),
    calmMs: 200_000,
  };
}
