import { z } from 'zod';
import { AMOUNT_LIMITS } from '../limits.ts';
import { currencySchema, type Currency } from './primitives.ts';

/** An amount in a request: minimal units as a decimal string on the wire, a bigint once parsed. */
export const requestAmountSchema = z
  .string({ error: 'Must be a string of minimal units (satoshi or litoshi).' })
  .regex(/^[1-9][0-9]{0,15}$/, {
    error: 'Must be a whole number of minimal units above 0, at most 16 digits, such as "150000".',
    abort: true,
  })
  .meta({ description: 'Minimal units (satoshi or litoshi), a decimal string.', example: '123400' })
  .transform((digits) => BigInt(digits));

/** An amount that a donation page suggests: stored as it was sent, so it stays a string. */
export const suggestedAmountSchema = z
  .string({ error: 'Must be a string of minimal units (satoshi or litoshi).' })
  .regex(/^[1-9][0-9]{0,15}$/, {
    error: 'Must be a whole number of minimal units above 0, at most 16 digits, such as "150000".',
    abort: true,
  })
  .meta({ description: 'Minimal units (satoshi or litoshi), a decimal string.', example: '50000' });

/** Says why an amount does not fit its currency, or null where it does. Minimal units. */
export function amountProblem(currency: Currency, amount: bigint): string | null {
  const { min, max } = AMOUNT_LIMITS[currency];
  if (amount < min) return `Must be at least ${min}, the dust limit of ${currency} in minimal units.`;
  if (amount > max) return `Must be at most ${max}, all the ${currency} there can be in minimal units.`;
  return null;
}

/**
 * A rule for bodies with a currency and an amount in the field of this name. It is quiet where either of them
 * is absent or already wrong, so that it can run beside every other check and all errors come at once.
 */
export function amountFitsCurrency(field: 'amount' | 'expected_amount') {
  const problemOf = (body: unknown): string | null => {
    const parsed = currencyAndAmountsSchema.safeParse(body);
    const amount = parsed.data?.[field];
    return parsed.data === undefined || amount === undefined
      ? null
      : amountProblem(parsed.data.currency, amount);
  };
  return {
    test: (body: unknown) => problemOf(body) === null,
    params: {
      path: [field],
      when: () => true,
      error: (issue: { input?: unknown }) => problemOf(issue.input) ?? '',
    },
  };
}

const currencyAndAmountsSchema = z.object({
  currency: currencySchema,
  amount: z.bigint().optional().catch(undefined),
  expected_amount: z.bigint().optional().catch(undefined),
});
