import { z } from 'zod';
import { amountProblem, requestAmountSchema } from '../../fields/amounts.ts';
import { LIMITS, SETTING_LIMITS } from '../../limits.ts';
import {
  amountSchema,
  currencySchema,
  momentSchema,
  paymentLinkIdSchema,
  timestampSchema,
  type Currency,
} from '../../fields/primitives.ts';
import { httpsUrl, optionalField, shownText } from '../../fields/text.ts';
import { fiatCurrencySchema, priceAmountSchema, priceSchema } from '../rates.ts';

const titleSchema = shownText(SETTING_LIMITS.linkTitle).meta({
  ...SETTING_LIMITS.linkTitle,
  description: 'What is sold, as the buyer reads it.',
  example: 'Concert ticket',
});

const descriptionSchema = shownText(SETTING_LIMITS.linkDescription).meta({
  ...SETTING_LIMITS.linkDescription,
  description: 'Plain text below the title.',
  example: 'Friday, 20:00, standing room.',
});

const linkPriceSchema = z
  .strictObject({ amount: priceAmountSchema.nullable(), currency: fiatCurrencySchema })
  .refine(({ amount, currency }) => amount === null || priceSchema.safeParse({ amount, currency }).success, {
    path: ['amount'],
    error: 'Must be above zero, with at most the decimals of its currency.',
  })
  .meta({
    description:
      'A price, converted at the rate of the moment of the purchase. With `amount` null the buyer names the price.',
    example: { amount: '19.99', currency: 'EUR' },
  });

const linkAmountSchema = requestAmountSchema.meta({
  description: 'A fixed amount of coins, in minimal units of the only one of `currencies`.',
  example: '123400',
});

const linkCurrenciesSchema = z
  .array(currencySchema)
  .min(1)
  .max(currencySchema.options.length)
  .refine((currencies) => new Set(currencies).size === currencies.length, {
    error: 'Name each currency once.',
  })
  .meta({
    description: 'What buyers may pay with; null for every currency with a verified wallet.',
    example: ['BTC'],
  });

const stockSchema = z.int().min(SETTING_LIMITS.linkStock.min).max(SETTING_LIMITS.linkStock.max).meta({
  description:
    'How many pieces the link sells in its whole life; null for any number. An invoice holds a piece until it expires without a payment.',
  example: 50,
});

const expirySchema = momentSchema().meta({
  description: 'Nobody can buy from this moment on. Open invoices may still be paid.',
  example: '2027-01-01T00:00:00Z',
});

const returnUrlSchema = httpsUrl(LIMITS.url).meta({
  description: 'https address that the payment page links back to.',
  example: 'https://shop.example/thanks',
});

/** POST /v1/payment-links. Without `price` and `amount` the buyer names an amount of coins. */
export const createPaymentLinkBodySchema = z
  .strictObject({
    title: titleSchema,
    description: optionalField(descriptionSchema),
    price: optionalField(linkPriceSchema),
    amount: optionalField(linkAmountSchema),
    currencies: optionalField(linkCurrenciesSchema),
    single_use: optionalField(z.boolean())
      .transform((isSingle) => isSingle ?? false)
      .meta({
        default: false,
        description: 'Sells once: one open invoice at a time, closed when that is paid.',
      }),
    stock: optionalField(stockSchema),
    expires_at: optionalField(expirySchema),
    return_url: optionalField(returnUrlSchema),
  })
  .meta({ id: 'CreatePaymentLink' });
export type CreatePaymentLinkBody = z.output<typeof createPaymentLinkBodySchema>;
/** The same as a caller writes it. */
export type CreatePaymentLinkInput = z.input<typeof createPaymentLinkBodySchema>;

/** PATCH /v1/payment-links/{linkId}: what is left out stays as it is. */
export const updatePaymentLinkBodySchema = z
  .strictObject({
    title: titleSchema.optional(),
    description: descriptionSchema.optional(),
    price: linkPriceSchema.nullable().optional(),
    amount: linkAmountSchema.nullable().optional(),
    currencies: linkCurrenciesSchema.nullable().optional(),
    stock: stockSchema.nullable().optional(),
    expires_at: expirySchema.nullable().optional(),
    return_url: returnUrlSchema.nullable().optional(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'true: nobody can buy. Open invoices may still be paid.' }),
  })
  .meta({ id: 'UpdatePaymentLink' });
export type UpdatePaymentLinkBody = z.output<typeof updatePaymentLinkBodySchema>;
/** The same as a caller writes it. */
export type UpdatePaymentLinkInput = z.input<typeof updatePaymentLinkBodySchema>;

/** The fields that must fit together. */
export type LinkTerms = {
  hasPrice: boolean;
  amount: bigint | null;
  currencies: readonly Currency[] | null;
  isSingleUse: boolean;
  stock: number | null;
};

/** What is wrong with the combination of terms, with its field; null if they fit. Pure. */
export function linkTermsProblem(terms: LinkTerms): { field: string; message: string } | null {
  const { hasPrice, amount, currencies, isSingleUse, stock } = terms;
  if (isSingleUse && stock !== null) return { field: 'stock', message: 'Must be null with single_use.' };
  if (amount === null) return null;
  if (hasPrice) return { field: 'amount', message: 'Send price or amount, not both.' };
  const [currency, ...others] = currencies ?? [];
  if (currency === undefined || others.length > 0)
    return { field: 'currencies', message: 'Must name one currency with a fixed amount of coins.' };
  const problem = amountProblem(currency, amount);
  return problem === null ? null : { field: 'amount', message: problem };
}

/** Whether a link can serve as a point of sale: the amount is open, and it sells any number. Pure. */
export function isPointOfSale(
  link: Pick<z.infer<typeof paymentLinkViewSchema>, 'price' | 'amount' | 'single_use' | 'available'>,
): boolean {
  const isOpen = link.price === null ? link.amount === null : link.price.amount === null;
  return isOpen && !link.single_use && link.available === null;
}

/** Path of one payment link. */
export const paymentLinkParamsSchema = z.object({ linkId: paymentLinkIdSchema });

/** Whether and why a link sells: `sold_out` also while open invoices hold the last pieces. */
export const linkStatusSchema = z.enum(['open', 'disabled', 'expired', 'sold_out']).meta({
  description: 'sold_out: every piece is sold or waits for its payment.',
});
export type LinkStatus = z.infer<typeof linkStatusSchema>;

/** The price of a link in a response. */
export const linkPriceViewSchema = z
  .object({
    amount: z.string().nullable().meta({
      description: 'With all decimals of the currency; null where the buyer names the price.',
      example: '19.99',
    }),
    currency: fiatCurrencySchema,
  })
  .meta({ id: 'LinkPrice' });

/** A payment link as its owner sees it. */
export const paymentLinkViewSchema = z
  .object({
    id: paymentLinkIdSchema,
    url: z.string().meta({ format: 'uri', description: 'The page to send buyers to.' }),
    pos_url: z.string().nullable().meta({
      format: 'uri',
      description:
        'The same link as a point of sale, for the phone of the seller: a keypad for the amount, then the QR code. null unless the buyer names the amount and the link sells any number.',
    }),
    title: z.string(),
    description: z.string().nullable(),
    price: linkPriceViewSchema.nullable(),
    amount: amountSchema.nullable(),
    currencies: z.array(currencySchema).nullable(),
    single_use: z.boolean(),
    stock: z.int().nullable(),
    available: z.int().min(0).nullable().meta({
      description:
        'Pieces that nobody has bought or is about to pay; null without a stock, unless it is single_use.',
    }),
    expires_at: timestampSchema.nullable(),
    return_url: z.string().nullable(),
    disabled: z.boolean(),
    status: linkStatusSchema,
    created_at: timestampSchema,
  })
  .meta({ id: 'PaymentLink' });
export type PaymentLinkView = z.infer<typeof paymentLinkViewSchema>;

/** GET /v1/payment-links: all of them, newest first. */
export const paymentLinkListSchema = z
  .object({ data: z.array(paymentLinkViewSchema) })
  .meta({ id: 'PaymentLinkList' });
export type PaymentLinkList = z.infer<typeof paymentLinkListSchema>;
