import { z } from 'zod';

const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const amount = z.string().regex(/^\d+$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const status = z.enum(['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment']);

const shownPaymentShape = z.strictObject({
  txid: hash,
  vout: z.int().min(0),
  amount,
  status: z.enum(['unconfirmed', 'confirmed', 'void']),
  late: z.boolean(),
  confirmations: z.int().min(0),
  block_height: z.int().nullable(),
  block_hash: hash.nullable(),
  first_seen_at: moment,
});

const orderLineShape = z.strictObject({ name: z.string(), quantity: z.int().min(1), amount: z.null() });

/** The schema of the owner's view, with exactly the fields of the specification. */
export const ownerViewShape = z.strictObject({
  public_id: z.string().regex(/^inv_[1-9A-HJ-NP-Za-km-z]{20,23}$/),
  type: z.enum(['order', 'donation']),
  status,
  currency: z.enum(['BTC', 'LTC']),
  address: z.string(),
  address_index: z.int().min(1),
  address_reused: z.boolean(),
  expected_amount: amount.nullable(),
  received_amount: amount,
  confirmed_amount: amount,
  due_amount: amount.nullable(),
  overpaid_amount: amount,
  price: z.null(),
  rate: z.null(),
  accepted_in_fiat: z.null(),
  confirmations: z.int().min(0),
  confirmations_required: z.int().min(1),
  order_id: z.string().nullable(),
  donor_name: z.string().nullable(),
  donor_message: z.string().nullable(),
  return_url: z.string().nullable(),
  renew_url: z.string().nullable(),
  description: z.string().nullable(),
  lines: z.array(orderLineShape),
  pay_url: z.string(),
  payment_uri: z.string().nullable(),
  payments: z.array(shownPaymentShape),
  reversed: z.boolean(),
  created_at: moment,
  expires_at: moment,
  extended: z.boolean(),
  ttl_seconds: z.int().min(1),
  version: z.int().min(1),
});

/** The schema of a webhook body, with exactly the fields of the specification. */
export const eventBodyShape = z.strictObject({
  id: z.string().regex(/^evt_[1-9A-HJ-NP-Za-km-z]+$/),
  type: z.enum(['invoice.confirmed', 'invoice.expired', 'invoice.underpaid', 'invoice.late_payment']),
  api_version: z.literal('1.0'),
  created_at: moment,
  data: z.strictObject({
    invoice: ownerViewShape,
    previous_status: status,
    payments: z.array(shownPaymentShape).optional(),
  }),
});

/** An invoice as its owner sees it. */
export type OwnerView = z.infer<typeof ownerViewShape>;
export type ShownPayment = z.infer<typeof shownPaymentShape>;
export type EventBody = z.infer<typeof eventBodyShape>;
