import { z } from 'zod';
import { isFiatCurrency } from '../contract/fields/fiat.ts';
import { NETWORKS } from '../chain/chains.ts';

/*
 * Environment variables about money and accounts that several processes read. Each is declared once, so that all processes
 * agree on its range, its default and its description in docs/configuration.md.
 */

const integer = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const network = (currency: string) =>
  z
    .enum(NETWORKS)
    .default('mainnet')
    .describe(`Network of ${currency}: ${NETWORKS.join(', ')}.`);
const confirmations = (what: string) =>
  z
    .string()
    .optional()
    .describe(`Confirmations that ${what} need, by amount in coins, for example \`0.01:1,1:2,10:3,*:6\`.`);
const price = (currency: string) =>
  z.string().optional().describe(`Price of a subscription in ${currency}, for example \`0.0003\`.`);

export const networkVariables = { BTC_NETWORK: network('Bitcoin'), LTC_NETWORK: network('Litecoin') };

export const graceVariables = {
  PAYMENT_GRACE_SECONDS: integer(120, 0, 3600).describe(
    'How long after the deadline shown to payers a payment still counts as in time.',
  ),
};

export const toleranceVariables = {
  TOLERANCE_BPS: integer(0, 0, 1000).describe(
    'How much less than its amount an order may receive and still be confirmed, in basis points (100 = 1 %).',
  ),
};

export const poolVariables = {
  QUARANTINE_SECONDS: integer(86_400, 0, 31_536_000).describe(
    'How long the address of an expired invoice waits before another invoice may lease it.',
  ),
  QUARANTINE_DRY_SECONDS: integer(3600, 0, 31_536_000).describe(
    'The same wait while the pool has no other free address.',
  ),
  ACCOUNT_ADDRESSES: integer(2000, 20, 1_000_000_000).describe(
    'Derived addresses that an account may hold. Each paid address adds 20; `paywatch accounts limit` raises it for one account.',
  ),
};

export const walletChangeVariables = {
  WALLET_CHANGE_DELAY: integer(86_400, 0, 2_592_000).describe(
    'How long a new wallet waits before it takes effect, if the project was paid within the last 30 days, in seconds. Owners can cancel it meanwhile. 0: at once.',
  ),
};

export const gapLimitVariables = {
  DEFAULT_GAP_LIMIT: integer(20, 1, 100_000).describe(
    'Addresses derived beyond the last one paid, for wallets that name no `gap_limit`. 20 is what wallet software scans.',
  ),
};

export const orderConfirmationVariables = {
  CONFIRMATIONS_BTC_ORDERS: confirmations('Bitcoin orders'),
  CONFIRMATIONS_LTC_ORDERS: confirmations('Litecoin orders'),
};

export const donationConfirmationVariables = {
  CONFIRMATIONS_BTC_DONATIONS: confirmations('Bitcoin donations'),
  CONFIRMATIONS_LTC_DONATIONS: confirmations('Litecoin donations'),
};

export const subscriptionVariables = {
  SUBSCRIPTION_SELLER: z
    .string()
    .optional()
    .describe(
      'Email of your own account, whose project [sells subscriptions](selling-subscriptions.md) to the others. Unset: subscriptions are not sold.',
    ),
  SUBSCRIPTION_PRICE_BTC: price('BTC'),
  SUBSCRIPTION_PRICE_LTC: price('LTC'),
};

export const sessionVariables = {
  SESSION_IDLE_SECONDS: integer(86_400, 300, 604_800).describe(
    'A session that is not used for this long ends. The longest session lasts 7 days.',
  ),
};

export const rateVariables = {
  RATE_CURRENCIES: z
    .string()
    .default('EUR,USD,GBP')
    .transform((value) => value.split(',').flatMap((code) => code.trim() || []))
    .refine((codes) => codes.every(isFiatCurrency), { error: 'must be ISO 4217 codes, such as EUR,USD' })
    .describe(
      'Currencies that orders may be priced in, as ISO 4217 codes. [Exchange rates](exchange-rates.md) shows which markets have each.',
    ),
};
