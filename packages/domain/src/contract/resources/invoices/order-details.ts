import { z } from 'zod';
import { parseFiat } from '../../fields/fiat.ts';
import { SETTING_LIMITS } from '../../limits.ts';
import { optionalField, shownText } from '../../fields/text.ts';
import { priceAmountSchema } from '../rates.ts';

const { description, lines, lineName, lineQuantity } = SETTING_LIMITS.order;

/** What the payment page shows about an order. */
export const orderDescriptionSchema = shownText(description).meta({
  ...description,
  description: 'What the order is for. Shown on the payment page.',
  example: 'Tickets for the spring concert',
});

const lineSchema = z
  .strictObject({
    name: shownText(lineName).meta({ ...lineName, example: 'Balcony, row 3' }),
    quantity: z.int().min(lineQuantity.min).max(lineQuantity.max).default(1),
    amount: optionalField(priceAmountSchema).meta({
      description: 'What all pieces of the line cost, in the currency of `price`.',
    }),
  })
  .meta({ id: 'OrderLine' });

/** The lines of an order, as they are sent. */
export const orderLinesSchema = z.array(lineSchema).min(1).max(lines.maxItems).meta({
  description:
    'The lines of the order. Shown on the payment page. Either none has an amount, or all have one and their sum is the amount of `price`.',
});

type Line = { amount: string | null };
type Price = { amount: string; currency: string };

/** Whether the amounts of the lines are those of the price. Pure. */
export function linesFitPrice(linesOfOrder: readonly Line[], price: Price | null): boolean {
  const amounts = linesOfOrder.map(({ amount }) => amount);
  if (amounts.every((amount) => amount === null)) return true;
  if (price === null) return false;
  const units = amounts.map((amount) => (amount === null ? null : parseFiat(amount, price.currency)));
  if (units.some((unit) => unit === null)) return false;
  const sum = units.reduce<bigint>((total, unit) => total + (unit ?? 0n), 0n);
  return sum === parseFiat(price.amount, price.currency);
}

/** The lines of an order in a view. */
export const orderLineViewsSchema = z
  .array(
    z
      .object({
        name: z.string().meta({ description: 'Plain text. Escape it where you show it.' }),
        quantity: z.int().min(1),
        amount: z
          .string()
          .nullable()
          .meta({ description: 'In the currency of `price`, with all its decimals.', example: '19.99' }),
      })
      .meta({ id: 'OrderLineView' }),
  )
  .meta({ description: 'Empty if the order was created without lines.' });
