import { createApiClient, openMerchant, type ApiClient, startStack, type Stack } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';

import { z } from 'zod';

/** What the scripts of `k6/` are told by their environment. */
export type LoadEnvironment = Record<string, string>;

const CURRENCY = 'LTC';
const GAP_LIMIT = 1000;
const SMALL_GAP_LIMIT = 20;
const FIRST_ORDERS = 30;
/** Nothing but the limit that a script is about refuses a request for its rate. */
const NO_LIMIT = '1000000';

/** Starts a stack whose limits allow a load. */
export function startLoadStack(replicas: number): Promise<Stack> {
  const unlimited = [
    'API_KEY_LIMIT_RATE',
    'API_KEY_LIMIT_BURST',
    'PUBLIC_READ_LIMIT_POINTS',
    'LOGIN_LIMIT_POINTS',
  ];
  return startStack({
    ownServers: true,
    mweb: false,
    replicas: { api: replicas },
    // A proof of work costs the donor's device: here that is the machine whose load is measured.
    env: { ...Object.fromEntries(unlimited.map((name) => [name, NO_LIMIT])), DONATION_PROOF_BITS: '8' },
  });
}

/** Opens merchants over HTTP, and one more whose pool is soon exhausted, and waits until all of them can sell. */
export async function openShops(baseUrl: string, count: number): Promise<LoadEnvironment> {
  const call = createApiClient(baseUrl);
  const open = (number: number, gapLimit: number) =>
    openMerchant(call, { number, currency: CURRENCY, gapLimit });
  const small = await open(0, SMALL_GAP_LIMIT);
  const shops = [];
  for (let number = 1; number <= count; number += 1) shops.push(await open(number, GAP_LIMIT));
  await waitUntil(() => canSell(call, small.apiKey, 1), { what: 'a pool' });
  // More than the first addresses: the whole window is derived and examined in the background.
  for (const { apiKey } of shops)
    for (let order = 1; order <= FIRST_ORDERS; order += 1)
      await waitUntil(() => canSell(call, apiKey, order), { what: 'a pool' });
  const { donateToken } = shops[0] ?? small;
  return {
    BASE_URL: baseUrl,
    API_KEYS: shops.map(({ apiKey }) => apiKey).join(','),
    CURRENCY,
    DONATE_TOKEN: donateToken,
    SMALL_API_KEY: small.apiKey,
    SMALL_XPUB: small.wallet.xpub,
    SMALL_PATH: small.wallet.derivationPath,
  };
}

async function canSell(call: ApiClient, apiKey: string, order: number): Promise<boolean> {
  const body = { currency: CURRENCY, type: 'order', expected_amount: '150000', order_id: `order ${order}` };
  await call({ method: 'POST', path: '/v1/invoices', body, as: { apiKey } }, z.unknown());
  return true;
}
