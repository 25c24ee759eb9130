import {
  createApiClient,
  openMerchant,
  startStack,
  type ApiClient,
  type Merchant,
  type Stack,
} from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { z } from 'zod';

/** The environment variables of the scripts in `k6/`. */
export type LoadEnvironment = Record<string, string>;

const CURRENCY = 'LTC';
const GAP_LIMIT = 1000;
const SMALL_GAP_LIMIT = 20;
const FIRST_ORDERS = 30;
/** High enough that only the limit under test refuses requests. */
const NO_LIMIT = '1000000';

/** Starts a stack whose rate limits allow a load test. */
export function startLoadStack(replicas: number): Promise<Stack> {
  const unlimited = [
    'API_KEY_LIMIT_RATE',
    'API_KEY_LIMIT_BURST',
    'PUBLIC_READ_LIMIT_POINTS',
    'LOGIN_LIMIT_POINTS',
    'PROJECT_CHANGE_LIMIT_POINTS',
  ];
  return startStack({
    ownServers: true,
    mweb: false,
    replicas: { api: replicas },
    // The scripts solve the proofs of work on the measured machine: keep them cheap.
    env: { ...Object.fromEntries(unlimited.map((name) => [name, NO_LIMIT])), DONATION_PROOF_BITS: '8' },
  });
}

/** Opens `count` merchants over HTTP, and one with a small pool, and waits until all of them can create orders. */
export async function openShops(baseUrl: string, count: number): Promise<LoadEnvironment> {
  const call = createApiClient(baseUrl);
  const open = (number: number, gapLimit: number) =>
    openMerchant(call, { number, currency: CURRENCY, gapLimit });
  const small = await open(0, SMALL_GAP_LIMIT);
  const shops = [];
  for (let number = 1; number <= count; number += 1) shops.push(await open(number, GAP_LIMIT));
  await waitUntil(() => canSell(call, small.apiKey, 1), { what: 'a pool' });
  // The rest of the window is derived in the background: wait until more than the first addresses are leasable.
  for (const { apiKey } of shops)
    for (let order = 1; order <= FIRST_ORDERS; order += 1)
      await waitUntil(() => canSell(call, apiKey, order), { what: 'a pool' });
  const first = shops[0] ?? small;
  return {
    BASE_URL: baseUrl,
    API_KEYS: shops.map(({ apiKey }) => apiKey).join(','),
    CURRENCY,
    DONATE_TOKEN: first.donateToken,
    OVERLAY_TOKEN: await rotateToken(call, first, 'overlay'),
    CONTROL_TOKEN: await rotateToken(call, first, 'control'),
    SMALL_API_KEY: small.apiKey,
    SMALL_XPUB: small.wallet.xpub,
    SMALL_PATH: small.wallet.derivationPath,
  };
}

async function rotateToken(
  call: ApiClient,
  { session }: Merchant,
  kind: 'overlay' | 'control',
): Promise<string> {
  const path = `/v1/project/tokens/${kind}/rotate`;
  const { token } = await call({ method: 'POST', path, as: { session } }, z.object({ token: z.string() }));
  return token;
}

async function canSell(call: ApiClient, apiKey: string, order: number): Promise<boolean> {
  const body = { currency: CURRENCY, type: 'order', expected_amount: '150000', order_id: `order ${order}` };
  await call({ method: 'POST', path: '/v1/invoices', body, as: { apiKey } }, z.unknown());
  return true;
}
