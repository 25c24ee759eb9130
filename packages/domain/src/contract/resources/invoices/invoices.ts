import { z } from 'zod';
import { LIMITS, SETTING_LIMITS } from '../../limits.ts';
import { listOf, listQuerySchema } from '../../fields/lists.ts';
import {
  amountSchema,
  paidAmountSchema,
  currencySchema,
  hashSchema,
  invoiceStatusSchema,
  invoiceTypeSchema,
  momentSchema,
  networkSchema,
  publicIdSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { publicBrandingSchema } from '../account/public-branding.ts';
import { orderLineViewsSchema } from './order-details.ts';
import { fiatWorthViewSchema, lockedRateViewSchema, priceViewSchema } from '../rates.ts';
import { exactText } from '../../fields/text.ts';

/** One output that pays the address of an invoice. */
export const paymentViewSchema = z
  .object({
    txid: hashSchema,
    vout: z.int().min(0),
    amount: paidAmountSchema,
    status: z
      .enum(['unconfirmed', 'confirmed', 'void'])
      .meta({ description: 'void: a conflicting transaction was seen, or the network forgot this one.' }),
    late: z.boolean().meta({ description: 'First seen after the deadline.' }),
    confirmations: z.int().min(0),
    block_height: z.int().min(0).nullable(),
    block_hash: hashSchema.nullable(),
    first_seen_at: timestampSchema,
  })
  .meta({ id: 'Payment' });
export type PaymentView = z.infer<typeof paymentViewSchema>;

/** An invoice as its owner sees it. */
export const invoiceViewSchema = z
  .object({
    public_id: publicIdSchema,
    type: invoiceTypeSchema,
    status: invoiceStatusSchema,
    currency: currencySchema,
    address: z.string().meta({
      description:
        'The receiving address, of the own wallet of the project. Empty for a donation that expired before anybody was shown it.',
    }),
    address_index: z.int().min(0).meta({ description: 'Index of the address in the wallet.' }),
    address_reused: z
      .boolean()
      .meta({ description: 'The address was shown before, by an expired invoice that was never paid.' }),
    expected_amount: amountSchema.nullable(),
    price: priceViewSchema.nullable().meta({
      description:
        'What expected_amount was computed from; null unless the invoice was created with a price.',
    }),
    rate: lockedRateViewSchema.nullable().meta({
      description: 'The rate that it was computed with, before the margin of the project.',
    }),
    received_amount: amountSchema.meta({
      description: 'All payments that are not void, late and unconfirmed ones included.',
      example: '123400',
    }),
    confirmed_amount: amountSchema,
    due_amount: amountSchema.nullable().meta({
      description: 'What is missing; "0" from the deadline on; null without expected_amount.',
    }),
    overpaid_amount: amountSchema,
    accepted_in_fiat: fiatWorthViewSchema.nullable().meta({
      description:
        'What the confirmed amount was worth when the invoice was confirmed, in the currency of the project (`fiat_currency`) of that moment; null before, after a reversal, and if no currency was set or no rate known.',
    }),
    confirmations: z.int().min(0).meta({
      description:
        'Depth of the shallowest payment needed to be paid in full; 0 while not covered. Late payments count only for the status late_payment.',
    }),
    confirmations_required: z.int().min(1),
    order_id: z.string().nullable(),
    donor_name: z.string().nullable().meta({ description: 'Plain text. Escape it where you show it.' }),
    donor_message: z.string().nullable().meta({ description: 'Plain text. Escape it where you show it.' }),
    return_url: z.string().nullable(),
    renew_url: z
      .string()
      .nullable()
      .meta({ description: 'Where the payer of an expired order gets a new invoice.' }),
    description: z.string().nullable().meta({ description: 'Plain text. Escape it where you show it.' }),
    lines: orderLineViewsSchema,
    pay_url: z.string().meta({ format: 'uri', description: 'Payment page to send the payer to.' }),
    payment_uri: z
      .string()
      .nullable()
      .meta({ description: 'BIP 21 URI that asks for what is due; null once nothing should be sent.' }),
    payments: z.array(paymentViewSchema),
    reversed: z.boolean().meta({
      description: 'A payment that a reported outcome counted was replaced by a conflicting transaction.',
    }),
    created_at: timestampSchema,
    expires_at: timestampSchema,
    extended: z.boolean(),
    ttl_seconds: z.int().min(1),
    version: z.int().min(1).meta({ description: 'Grows with every change; order events by it.' }),
  })
  .meta({ id: 'Invoice' });
export type InvoiceView = z.infer<typeof invoiceViewSchema>;

/** An invoice as the payer sees it: nothing of the shop's own bookkeeping. */
export const publicInvoiceViewSchema = invoiceViewSchema
  .omit({ order_id: true, ttl_seconds: true, address_index: true, accepted_in_fiat: true })
  .extend({
    project_name: z.string().nullable().meta({ description: 'null until the project has a name.' }),
    branding: publicBrandingSchema.nullable().meta({ description: 'null until the project has any.' }),
    network: networkSchema,
    explorer_url: z
      .string()
      .nullable()
      .meta({ description: 'Base address of a block explorer: append /tx/{txid} or /address/{address}.' }),
    chain_delayed: z.boolean().meta({ description: 'Our view of the chain is stale; the status may lag.' }),
    donate_url: z.string().optional().meta({
      format: 'uri',
      description: 'Of an expired donation: where to start another one, while its link is valid.',
    }),
    link_url: z.string().optional().meta({
      format: 'uri',
      description: 'Of an expired purchase by a payment link: where to buy again, while that link exists.',
    }),
  })
  .meta({ id: 'PublicInvoice' });
export type PublicInvoiceView = z.infer<typeof publicInvoiceViewSchema>;

/** Path of one invoice. */
export const invoiceParamsSchema = z.object({ publicId: publicIdSchema });

/** What selects invoices in a list or a file; moments are parsed to epoch milliseconds. */
export const invoiceFilterShape = {
  status: invoiceStatusSchema.optional(),
  type: invoiceTypeSchema.optional(),
  currency: currencySchema.optional(),
  order_id: exactText(LIMITS.orderId).optional(),
  reversed: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ type: 'boolean' }),
  search: exactText(SETTING_LIMITS.invoiceSearch).optional().meta({
    description:
      'Part of the order id, the donor name, the address or a txid; or an exact amount in coins or in the currency of the price. A public_id, a whole address and a whole txid are looked up at once. Anything else is compared with 5,000 invoices for each page, so a page may be empty and still have a next_cursor.',
  }),
  created_from: momentSchema().optional().meta({ description: 'Created at this moment or later.' }),
  created_to: momentSchema().optional().meta({ description: 'Created before this moment.' }),
};

type Times = { created_from?: number | undefined; created_to?: number | undefined };

/** Whether the range of times is not reversed. */
export function isForwardInTime({ created_from: from, created_to: to }: Times): boolean {
  return from === undefined || to === undefined || from <= to;
}

/** The error for a reversed range. */
export const TIMES_IN_ORDER = { path: ['created_to'], error: 'Must not be before created_from.' };

/** GET /v1/invoices */
export const listInvoicesQuerySchema = listQuerySchema
  .extend(invoiceFilterShape)
  .refine(isForwardInTime, TIMES_IN_ORDER);
export type ListInvoicesQuery = z.output<typeof listInvoicesQuerySchema>;

/** GET /v1/invoices */
export const invoiceListSchema = listOf(invoiceViewSchema, 'InvoiceList');
export type InvoiceList = z.infer<typeof invoiceListSchema>;
