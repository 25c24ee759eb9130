import {
  ApiProblem,
  createApiClient,
  openEventStream,
  type ApiClient,
  type EventStream,
  type Stack,
} from '@paywatch/dev/stack';
import { createMerchantWallet, type Currency } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const CURRENCIES = ['BTC', 'LTC'] as const;
/** In minimal units: above the dust limit of both chains, and small enough for the payer's coins to last. */
const AMOUNT = 20_000n;

/** A merchant with wallets and a webhook endpoint. */
export type Shop = {
  /** Creates an order; waits while the pool has no address. */
  order(currency: Currency): Promise<Order>;
};

export type Order = { publicId: string; address: string; amount: bigint };

/** An open status stream of an order. */
export type Page = EventStream;

/** Registers a merchant over HTTP, with verified wallets and a webhook endpoint. */
export async function openShop({ url, receiver }: Pick<Stack, 'url' | 'receiver'>): Promise<Shop> {
  const call = createApiClient(url);
  const apiKey = await signUp(call);
  const { secret } = await call(
    { method: 'POST', path: '/v1/webhooks', body: { url: receiver.url }, as: { apiKey } },
    z.object({ secret: z.string() }),
  );
  receiver.setSecrets(secret);
  for (const currency of CURRENCIES) await proveWallet(call, apiKey, currency);
  return { order: (currency) => createOrder(call, apiKey, currency) };
}

/** Opens the status stream of an order and waits for its first event. */
export async function openPage({ url }: Pick<Stack, 'url'>, { publicId }: Order): Promise<Page> {
  const page = await openEventStream(`${url}/v1/public/invoices/${publicId}/events`);
  await page.waitFor(() => true);
  return page;
}

async function signUp(call: ApiClient): Promise<string> {
  const account = { email: 'bench@example.com', password: 'correct horse battery' };
  await call({ method: 'POST', path: '/v1/auth/register', body: account }, z.unknown());
  const { session_token: session } = await call(
    { method: 'POST', path: '/v1/auth/login', body: account },
    z.object({ session_token: z.string() }),
  );
  const key = await call(
    { method: 'POST', path: '/v1/api-keys', as: { session } },
    z.object({ token: z.string() }),
  );
  return key.token;
}

async function proveWallet(call: ApiClient, apiKey: string, currency: Currency): Promise<void> {
  const wallet = createMerchantWallet(currency);
  const { xpub, scriptType, derivationPath } = wallet;
  const body = { currency, xpub, script_type: scriptType, derivation_path: derivationPath };
  await call({ method: 'POST', path: '/v1/wallets', body, as: { apiKey } }, z.unknown());
  const proof = { address: wallet.addressAt(0) };
  await call(
    { method: 'POST', path: `/v1/wallets/${currency}/verify`, body: proof, as: { apiKey } },
    z.unknown(),
  );
}

const orderShape = z.object({ public_id: z.string(), address: z.string() });

async function createOrder(call: ApiClient, apiKey: string, currency: Currency): Promise<Order> {
  const body = { currency, type: 'order', expected_amount: String(AMOUNT) };
  for (;;) {
    try {
      const order = await call({ method: 'POST', path: '/v1/invoices', body, as: { apiKey } }, orderShape);
      return { publicId: order.public_id, address: order.address, amount: AMOUNT };
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'address_pool_busy') throw error;
    }
    await sleep(200);
  }
}
