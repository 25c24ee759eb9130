import { z } from 'zod';
import { amountProblem, suggestedAmountSchema } from '../../fields/amounts.ts';
import { parseFiat } from '../../fields/fiat.ts';
import { SETTING_LIMITS } from '../../limits.ts';
import { accentColorSchema, currencySchema, uploadIdSchema } from '../../fields/primitives.ts';
import { httpsUrl, shownText } from '../../fields/text.ts';
import { fiatCurrencySchema, priceAmountSchema } from '../rates.ts';
import { minimumSchema } from './overlay-settings.ts';

const { text, links, linkTitle, linkUrl, suggestions } = SETTING_LIMITS.donationPage;

const linkSchema = z
  .strictObject({ title: shownText(linkTitle), url: httpsUrl(linkUrl) })
  .meta({ id: 'DonationPageLink', description: 'Shown with its host.' });

const amountsSchema = z.array(suggestedAmountSchema).min(1).max(suggestions.maxItems);
const suggestedAmountsSchema = z
  .strictObject({ BTC: amountsSchema, LTC: amountsSchema })
  .superRefine((amounts, context) => {
    for (const currency of currencySchema.options)
      for (const [index, amount] of amounts[currency].entries()) {
        const message = amountProblem(currency, BigInt(amount));
        if (message !== null) context.addIssue({ code: 'custom', path: [currency, index], message });
      }
  })
  .nullable()
  .meta({ description: 'In minimal units; null for the usual ones.' });

const suggestedPricesSchema = z
  .strictObject({
    currency: fiatCurrencySchema,
    amounts: z.array(priceAmountSchema).min(1).max(suggestions.maxItems),
  })
  .superRefine(({ currency, amounts }, context) => {
    for (const [index, amount] of amounts.entries()) {
      const units = parseFiat(amount, currency);
      if (units === null || units === 0n)
        context.addIssue({
          code: 'custom',
          path: ['amounts', index],
          message: 'Must be above zero, with at most the decimals of its currency.',
        });
    }
  })
  .nullable()
  .meta({
    description:
      'Suggested amounts in a currency, converted at the rate of the moment. They come before `suggested_amounts`, which are shown while there is no rate.',
  });

const MINIMUM = 'Smaller donations are shown without their message, which stays with the invoice.';
const changeable = {
  picture: uploadIdSchema.nullable().meta({
    description: 'The id of an uploaded image, shown above the form and in link previews; null for none.',
    example: null,
  }),
  accent_color: accentColorSchema,
  text: shownText(text).meta({ ...text, description: 'Plain text above the form; empty for none.' }),
  links: z.array(linkSchema).max(links.maxItems),
  suggested_amounts: suggestedAmountsSchema,
  suggested_prices: suggestedPricesSchema,
  min_message_btc: minimumSchema.meta({ description: `${MINIMUM} Satoshi.`, example: '10000' }),
  min_message_ltc: minimumSchema.meta({ description: `${MINIMUM} Litoshi.`, example: '1000000' }),
  show_goal: z
    .boolean()
    .meta({ description: 'Whether the page shows the goal of `GET /v1/overlay/sources`.' }),
  show_latest: z.boolean().meta({
    description: 'Whether the page lists the latest donations that overlays showed, with names and amounts.',
  }),
};

/** GET /v1/donation-page */
export const donationPageSchema = z.object(changeable).meta({ id: 'DonationPage' });
export type DonationPage = z.output<typeof donationPageSchema>;

/** PATCH /v1/donation-page: what is left out stays as it is. */
export const updateDonationPageBodySchema = z
  .strictObject(changeable)
  .partial()
  .meta({ id: 'UpdateDonationPage' });
export type UpdateDonationPageBody = z.output<typeof updateDonationPageBodySchema>;
/** The same as a caller writes it. */
export type UpdateDonationPageInput = z.input<typeof updateDonationPageBodySchema>;

/** The page of a project that has changed nothing. */
export const DEFAULT_DONATION_PAGE: Readonly<DonationPage> = {
  picture: null,
  accent_color: null,
  text: '',
  links: [],
  suggested_amounts: null,
  suggested_prices: null,
  min_message_btc: '0',
  min_message_ltc: '0',
  show_goal: false,
  show_latest: false,
};
