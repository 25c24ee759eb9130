import { createMerchantWallet } from '../../infra/dev/src/wallet/merchant-wallet.ts';
import { ApiProblem, createApiClient, type ApiClient } from '../../infra/dev/src/stack/api-client.ts';
import { waitUntil } from '@paywatch/dev/testing';
import { z } from 'zod';
import type { Scene } from './scene.ts';

export type Currency = 'BTC' | 'LTC';

const invoiceShape = z.object({ public_id: z.string(), address: z.string(), pay_url: z.string() });
/** The parts of an invoice that a payer needs. */
export type Invoice = z.infer<typeof invoiceShape>;

/** A merchant with verified wallets, set up over the API. */
export type Merchant = {
  email: string;
  password: string;
  session: string;
  donateUrl: string;
  overlayUrl: string;
  /** `amount` is in minimal units. */
  order(currency: Currency, amount: string, more?: Record<string, unknown>): Promise<Invoice>;
};

/** Registers a merchant, names the project, and verifies a wallet for each currency. */
export async function createMerchant({ stack }: Scene, email = 'shop@example.com'): Promise<Merchant> {
  const call = createApiClient(stack.url);
  const account = { email, password: 'correct horse' };
  await call({ method: 'POST', path: '/v1/auth/register', body: account }, z.unknown());
  const { session_token: session } = await call(
    { method: 'POST', path: '/v1/auth/login', body: account },
    z.object({ session_token: z.string() }),
  );
  await call(
    { method: 'PATCH', path: '/v1/project', body: { name: 'Ada’s chess' }, as: { session } },
    z.unknown(),
  );
  for (const currency of ['BTC', 'LTC'] as const) await proveWallet(call, session, currency);
  const { project } = await call(
    { method: 'GET', path: '/v1/me', as: { session } },
    z.object({ project: z.object({ donate_url: z.string(), overlay_url: z.string() }) }),
  );
  return {
    ...account,
    session,
    donateUrl: project.donate_url,
    overlayUrl: project.overlay_url,
    order: (currency, amount, more) => createOrder(call, session, currency, amount, more),
  };
}

/** Changes settings of the merchant by a PATCH. */
export async function changeSettings(
  { stack }: Scene,
  { session }: Merchant,
  path: string,
  body: Record<string, unknown>,
): Promise<void> {
  await createApiClient(stack.url)({ method: 'PATCH', path, body, as: { session } }, z.unknown());
}

async function proveWallet(call: ApiClient, session: string, currency: Currency): Promise<void> {
  const wallet = createMerchantWallet(currency);
  const { xpub, scriptType, derivationPath } = wallet;
  const body = { currency, xpub, script_type: scriptType, derivation_path: derivationPath };
  await call({ method: 'POST', path: '/v1/wallets', body, as: { session } }, z.unknown());
  const proof = { address: wallet.addressAt(0) };
  await call(
    { method: 'POST', path: `/v1/wallets/${currency}/verify`, body: proof, as: { session } },
    z.unknown(),
  );
}

/** Creates an invoice; retries until the first addresses of the wallet are derived. */
function createOrder(
  call: ApiClient,
  session: string,
  currency: Currency,
  amount: string,
  more: Record<string, unknown> = {},
): Promise<Invoice> {
  const body = { currency, type: 'order', expected_amount: amount, ...more };
  const ask = () => call({ method: 'POST', path: '/v1/invoices', body, as: { session } }, invoiceShape);
  return waitUntil(
    () => ask().catch((error: unknown) => (isBusy(error) ? null : Promise.reject(error as Error))),
    { what: 'an address of the wallet' },
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'address_pool_busy';
}
