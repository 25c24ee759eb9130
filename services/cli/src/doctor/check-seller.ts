import { CURRENCIES } from '@paywatch/domain/values';
import type { Database } from '@paywatch/store/postgres';
import { findSeller, type Seller } from '@paywatch/store/subscriptions';
import { readSellerConfig, type Env } from '../config.ts';
import { attempt, failed, ok, type Finding } from './finding.ts';

const CHECK = 'Subscription seller';

/** Checks that the configured account can sell subscriptions; no finding if none is configured. */
export async function checkSeller(env: Env, database: Database): Promise<Finding[]> {
  const config = readSellerConfig(env);
  const email = config.SUBSCRIPTION_SELLER?.trim().toLowerCase();
  if (email === undefined) return [];
  const priced = CURRENCIES.filter((currency) => config[`SUBSCRIPTION_PRICE_${currency}`] !== undefined);
  const look = async () => judge(email, priced, await findSeller(database, email));
  return [await attempt(CHECK, 'Set SUBSCRIPTION_SELLER to the email of your own account.', look)];
}

function judge(email: string, priced: readonly string[], seller: Seller | null): Finding {
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
  const missing = priced.filter((currency) => !seller.currencies.some((each) => each === currency));
  if (missing.length > 0)
    return failed(
      CHECK,
      `${email} has no verified wallet for ${missing.join(', ')}`,
      `Log in as ${email} and verify a wallet.`,
    );
  return ok(CHECK, `${email} sells for ${priced.join(', ')}`);
}
