import { z } from 'zod';
import { amountFitsCurrency, requestAmountSchema } from '../../fields/amounts.ts';
import { donorMessageSchema, donorNameSchema } from '../donations/donations.ts';
import { LIMITS } from '../../limits.ts';
import { currencySchema, invoiceTypeSchema } from '../../fields/primitives.ts';
import { priceSchema } from '../rates.ts';
import { linesFitPrice, orderDescriptionSchema, orderLinesSchema } from './order-details.ts';
import { exactVisibleText, httpsUrl, optionalField, tooLong } from '../../fields/text.ts';

/** The merchant's own name of an order; kept exactly as it was sent. */
export const orderIdSchema = exactVisibleText(LIMITS.orderId).meta({
  ...LIMITS.orderId,
  example: 'order-1001',
});

const amountRule = amountFitsCurrency('expected_amount');

/**
 * POST /v1/invoices, parsed: amounts are bigint, what was left out is null (`ttl_seconds` too: its default depends
 * on the deployment).
 */
export const createInvoiceBodySchema = z
  .strictObject({
    currency: currencySchema,
    type: invoiceTypeSchema,
    expected_amount: optionalField(requestAmountSchema).meta({
      description: 'Minimal units; required for type order, unless `price` is sent.',
    }),
    price: optionalField(priceSchema).meta({
      description:
        'In place of expected_amount: converted at the current rate, which is kept for the life of the invoice.',
    }),
    order_id: optionalField(orderIdSchema).meta({
      description: 'Unique in the project: a repeat answers the existing invoice.',
    }),
    ttl_seconds: optionalField(z.int().min(LIMITS.ttlSeconds.min).max(LIMITS.ttlSeconds.max)).meta({
      description:
        'Time to pay; when omitted 3600 for orders, 900 with a price, and 1800 for donations. With a price at most 3600, unless the project has a margin for longer ones.',
    }),
    return_url: optionalField(httpsUrl(LIMITS.url)).meta({
      description: 'https address that the payment page links back to.',
      example: 'https://shop.example/thanks',
    }),
    renew_url: optionalField(httpsUrl(LIMITS.url)).meta({
      description:
        'https address of the shop where a payer gets a new invoice. The page of an expired order links to it.',
      example: 'https://shop.example/orders/1001/pay',
    }),
    description: optionalField(orderDescriptionSchema),
    lines: optionalField(orderLinesSchema),
    donor_name: donorNameSchema,
    donor_message: donorMessageSchema,
  })
  .refine(amountRule.test, amountRule.params)
  .refine((body) => !isOrderWithout(body, 'expected_amount') || !isOrderWithout(body, 'price'), {
    path: ['expected_amount'],
    when: () => true,
    error: 'Is required when type is order, unless price is sent.',
  })
  .refine((body) => !hasBoth(body), {
    path: ['price'],
    when: () => true,
    error: 'Send expected_amount or price, not both.',
  })
  .refine((body) => !isOrderWith(body, 'donor_name'), onlyForDonations('donor_name'))
  .refine((body) => !isOrderWith(body, 'donor_message'), onlyForDonations('donor_message'))
  .refine((body) => !isDonationWith(body, 'renew_url'), onlyForOrders('renew_url'))
  .refine((body) => !isDonationWith(body, 'description'), onlyForOrders('description'))
  .refine((body) => !isDonationWith(body, 'lines'), onlyForOrders('lines'))
  .refine(({ lines, price }) => lines === null || linesFitPrice(lines, price), {
    path: ['lines'],
    error: 'Either no line has an amount, or all have one and their sum is the amount of price.',
  })
  .meta({ id: 'CreateInvoice' });
export type CreateInvoiceBody = z.output<typeof createInvoiceBodySchema>;
/** The same as a caller writes it. */
export type CreateInvoiceInput = z.input<typeof createInvoiceBodySchema>;

// These rules run beside the checks of single fields, so the body may still hold anything.
const orderSchema = z.looseObject({ type: z.literal('order') });

function isOrderWithout(body: unknown, field: string): boolean {
  const order = orderSchema.safeParse(body);
  return order.success && (order.data[field] ?? null) === null;
}

function isOrderWith(body: unknown, field: string): boolean {
  const order = orderSchema.safeParse(body);
  return order.success && (order.data[field] ?? null) !== null;
}

const donationSchema = z.looseObject({ type: z.literal('donation') });

function isDonationWith(body: unknown, field: string): boolean {
  const donation = donationSchema.safeParse(body);
  return donation.success && (donation.data[field] ?? null) !== null;
}

const bothAmountsSchema = z.looseObject({ expected_amount: z.unknown(), price: z.unknown() });

function hasBoth(body: unknown): boolean {
  const { data } = bothAmountsSchema.safeParse(body);
  return (data?.expected_amount ?? null) !== null && (data?.price ?? null) !== null;
}

function onlyForDonations(field: string) {
  return { path: [field], when: () => true, error: 'Is only for type donation.' };
}

function onlyForOrders(field: string) {
  return { path: [field], when: () => true, error: 'Is only for type order.' };
}

/** Headers of POST /v1/invoices. */
export const createInvoiceHeadersSchema = z.object({
  'Idempotency-Key': z
    .string()
    .min(LIMITS.idempotencyKey.minLength, 'Must not be empty.')
    .max(LIMITS.idempotencyKey.maxLength, tooLong(LIMITS.idempotencyKey.maxLength))
    .regex(/^[\x20-\x7e]*$/, { error: 'Must be printable ASCII.' })
    .optional()
    .meta({
      description: 'A repeat with the same key answers the existing invoice; kept at least 24 hours.',
    }),
});
