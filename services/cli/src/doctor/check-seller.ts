import { judgeSeller, type Finding } from '@paywatch/domain/deployment';
import { CURRENCIES } from '@paywatch/domain/values';
import type { Database } from '@paywatch/store/postgres';
import { findSeller } from '@paywatch/store/subscriptions';
import { readSellerConfig, type Env } from '../config.ts';
import { attempt } from './attempt.ts';

/** Checks that the configured account can sell subscriptions; no finding if none is configured. */
export async function checkSeller(env: Env, database: Database): Promise<Finding[]> {
  const config = readSellerConfig(env);
  const email = config.SUBSCRIPTION_SELLER?.trim().toLowerCase();
  if (email === undefined) return [];
  const priced = CURRENCIES.filter((currency) => config[`SUBSCRIPTION_PRICE_${currency}`] !== undefined);
  const look = async () => judgeSeller(email, priced, await findSeller(database, email));
  return [
    await attempt('Subscription seller', 'Set SUBSCRIPTION_SELLER to the email of your own account.', look),
  ];
}
