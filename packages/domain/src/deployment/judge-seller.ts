import type { Currency } from '../values/index.ts';
import { failed, ok, type Finding } from './finding.ts';

const CHECK = 'Subscription seller';

/** The account that sells subscriptions, with the currencies of its verified wallets. */
export type KnownSeller = {
  readonly isSubscriptionActive: boolean;
  readonly currencies: readonly Currency[];
};

/** Judges whether the configured account can sell for the priced currencies; `seller` is null if it is unknown. Pure. */
export function judgeSeller(email: string, priced: readonly Currency[], seller: KnownSeller | null): Finding {
  if (seller === null)
    return failed(
      CHECK,
      `there is no account with the email ${email}`,
      'Register the account or correct SUBSCRIPTION_SELLER.',
    );
  if (!seller.isSubscriptionActive)
    return failed(
      CHECK,
      `${email} has no active subscription and cannot sell`,
      `Run \`paywatch subscriptions grant ${email} --until 2099-12-31\`.`,
    );
  const missing = priced.filter((currency) => !seller.currencies.includes(currency));
  if (missing.length > 0)
    return failed(
      CHECK,
      `${email} has no verified wallet for ${missing.join(', ')}`,
      `Log in as ${email} and verify a wallet.`,
    );
  return ok(CHECK, `${email} sells for ${priced.join(', ')}`);
}
