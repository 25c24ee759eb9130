import { publicInvoiceViewSchema, type PaymentView, type PublicInvoiceView } from '@paywatch/domain/contract';

const MINUTE_MS = 60_000;
/** The fixed time for tests in which the clock does not matter. */
export const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z');

const BTC_ADDRESS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
const LTC_ADDRESS = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';

/** An order of 0.001234 BTC, created five minutes ago, with 55 minutes left; validated against the contract. */
export function invoice(changes: Partial<PublicInvoiceView> = {}, nowMs = NOW_MS): PublicInvoiceView {
  const currency = changes.currency ?? 'BTC';
  const address = changes.address ?? (currency === 'BTC' ? BTC_ADDRESS : LTC_ADDRESS);
  const publicId = changes.public_id ?? 'inv_8yXq3mJ2NdPz5KcVh7RtWb';
  return publicInvoiceViewSchema.parse({
    public_id: publicId,
    type: 'order',
    status: 'new',
    currency,
    address,
    address_reused: false,
    expected_amount: '123400',
    price: null,
    rate: null,
    received_amount: '0',
    confirmed_amount: '0',
    due_amount: '123400',
    overpaid_amount: '0',
    confirmations: 0,
    confirmations_required: 2,
    donor_name: null,
    donor_message: null,
    return_url: 'https://shop.example/thanks',
    renew_url: null,
    description: null,
    lines: [],
    pay_url: `https://pay.example/pay/${publicId}`,
    payment_uri: `${currency === 'BTC' ? 'bitcoin' : 'litecoin'}:${address}?amount=0.001234`,
    payments: [],
    reversed: false,
    created_at: new Date(nowMs - 5 * MINUTE_MS).toISOString(),
    expires_at: new Date(nowMs + 55 * MINUTE_MS).toISOString(),
    extended: false,
    version: 1,
    project_name: 'Example Shop',
    branding: null,
    network: 'mainnet',
    explorer_url: currency === 'BTC' ? 'https://mempool.space' : 'https://litecoinspace.org',
    chain_delayed: false,
    ...changes,
  } satisfies PublicInvoiceView);
}

/** A payment first seen one minute ago. */
export function payment(changes: Partial<PaymentView> = {}, nowMs = NOW_MS): PaymentView {
  return {
    txid: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
    vout: 0,
    amount: '123400',
    status: 'unconfirmed',
    late: false,
    confirmations: 0,
    block_height: null,
    block_hash: null,
    first_seen_at: new Date(nowMs - MINUTE_MS).toISOString(),
    ...changes,
  };
}

const mined = {
  status: 'confirmed',
  confirmations: 2,
  block_height: 900_000,
  block_hash: '0'.repeat(24) + 'a'.repeat(40),
} as const;

/** The fields of an invoice whose deadline has passed. */
function timeIsUp(nowMs: number): Partial<PublicInvoiceView> {
  return {
    created_at: new Date(nowMs - 65 * MINUTE_MS).toISOString(),
    expires_at: new Date(nowMs - 5 * MINUTE_MS).toISOString(),
    due_amount: '0',
    payment_uri: null,
  };
}

/** An invoice in every state that a payer can see, by name. */
export function allInvoiceStates(nowMs = NOW_MS): Record<string, PublicInvoiceView> {
  const make = (changes: Partial<PublicInvoiceView>) => invoice(changes, nowMs);
  const partly = payment({ amount: '50000' }, nowMs);
  const paidPartly: Partial<PublicInvoiceView> = {
    received_amount: '50000',
    payments: [partly],
    status: 'pending',
  };
  const paidFully = { received_amount: '123400', due_amount: '0', payment_uri: null } as const;
  return {
    new: make({}),
    'new-ltc': make({
      currency: 'LTC',
      expected_amount: '250000000',
      due_amount: '250000000',
      payment_uri: `litecoin:${LTC_ADDRESS}?amount=2.5`,
    }),
    'new-priced': make({
      price: { amount: '107.87', currency: 'EUR' },
      rate: {
        value: '87412.3525',
        currency: 'EUR',
        sources: ['binance', 'bitstamp', 'coinbase', 'kraken'],
        taken_at: new Date(nowMs - 5 * MINUTE_MS).toISOString(),
      },
    }),
    'new-branded': make(branded),
    'expired-branded': make({
      ...branded,
      ...timeIsUp(nowMs),
      status: 'expired',
      renew_url: 'https://shop.example/orders/1/pay',
    }),
    'new-any-amount': make({
      ...donation,
      expected_amount: null,
      due_amount: null,
      payment_uri: `bitcoin:${BTC_ADDRESS}`,
    }),
    'new-delayed': make({ chain_delayed: true }),
    'new-test-network': make({ network: 'regtest', explorer_url: null }),
    closing: make({ ...timeIsUp(nowMs) }),
    pending: make({ ...paidFully, status: 'pending', payments: [payment({}, nowMs)] }),
    'pending-one-of-two': make({
      ...paidFully,
      status: 'pending',
      confirmations: 1,
      payments: [payment({ confirmations: 1, block_height: 900_000, block_hash: mined.block_hash }, nowMs)],
    }),
    'pending-short': make({
      ...paidPartly,
      due_amount: '73400',
      payment_uri: `bitcoin:${BTC_ADDRESS}?amount=0.000734`,
    }),
    'pending-short-past': make({ ...timeIsUp(nowMs), ...paidPartly }),
    withdrawn: make({
      ...timeIsUp(nowMs),
      status: 'pending',
      payments: [payment({ status: 'void' }, nowMs)],
    }),
    confirmed: make({
      ...paidFully,
      status: 'confirmed',
      confirmations: 2,
      confirmed_amount: '123400',
      payments: [payment(mined, nowMs)],
    }),
    'confirmed-overpaid': make({
      ...paidFully,
      status: 'confirmed',
      confirmations: 2,
      received_amount: '200000',
      confirmed_amount: '200000',
      overpaid_amount: '76600',
      payments: [payment({ ...mined, amount: '200000' }, nowMs)],
    }),
    'confirmed-reversed': make({
      ...paidFully,
      status: 'confirmed',
      received_amount: '0',
      reversed: true,
      payments: [payment({ status: 'void' }, nowMs)],
    }),
    'confirmed-donation': make({
      ...paidFully,
      ...donation,
      status: 'confirmed',
      confirmations: 1,
      confirmed_amount: '123400',
      payments: [payment(mined, nowMs)],
    }),
    underpaid: make({
      ...timeIsUp(nowMs),
      status: 'underpaid',
      received_amount: '50000',
      confirmed_amount: '50000',
      payments: [payment({ ...mined, amount: '50000' }, nowMs)],
    }),
    expired: make({ ...timeIsUp(nowMs), status: 'expired' }),
    'expired-unseen': make({
      ...timeIsUp(nowMs),
      ...donation,
      status: 'expired',
      address: '',
      donate_url: 'https://pay.example/donate/tok_ada',
    }),
    late: make({
      ...timeIsUp(nowMs),
      status: 'late_payment',
      received_amount: '123400',
      confirmed_amount: '123400',
      payments: [payment({ ...mined, late: true }, nowMs)],
    }),
  };
}

const branded = {
  branding: {
    logo_url: '/v1/public/uploads/upl_1',
    accent_color: '#6441a5',
    terms_url: 'https://shop.example/terms',
    support_url: 'mailto:help@shop.example',
  },
  description: 'Tickets for the spring concert',
  price: { amount: '107.87', currency: 'EUR' },
  lines: [
    { name: 'Balcony, row 3', quantity: 2, amount: '90.00' },
    {
      name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      quantity: 1,
      amount: '10.00',
    },
    { name: 'Postage', quantity: 1, amount: '7.87' },
  ],
} satisfies Partial<PublicInvoiceView>;

const donation = {
  type: 'donation',
  project_name: 'Ada plays chess',
  return_url: null,
  donor_name: 'Grace',
  donor_message: 'Beautiful endgame!',
  confirmations_required: 1,
} as const;
