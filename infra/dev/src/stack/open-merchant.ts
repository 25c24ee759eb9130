import { z } from 'zod';
import type { ApiClient } from './api-client.ts';
import { createMerchantWallet, type MerchantWallet } from '../wallet/merchant-wallet.ts';
import type { Currency } from '../wallet/regtest-address.ts';

/** An account with a verified wallet, and its credentials. */
export type Merchant = {
  email: string;
  password: string;
  session: string;
  apiKey: string;
  donateToken: string;
  wallet: MerchantWallet;
};

/** Registers an account, logs in, creates an API key, and registers and verifies a wallet. `number` makes the email unique. */
export async function openMerchant(
  call: ApiClient,
  { number, currency, gapLimit }: { number: number; currency: Currency; gapLimit: number },
): Promise<Merchant> {
  const account = { email: `merchant-${number}@example.org`, password: `correct horse number ${number}` };
  await call({ method: 'POST', path: '/v1/auth/register', body: account }, z.unknown());
  const login = { method: 'POST', path: '/v1/auth/login', body: account } as const;
  const { session_token: session } = await call(login, z.object({ session_token: z.string() }));
  const as = { session };
  const key = z.object({ token: z.string() });
  const { token: apiKey } = await call({ method: 'POST', path: '/v1/api-keys', as }, key);
  const me = z.object({ project: z.object({ donate_token: z.string() }) });
  const { project } = await call({ method: 'GET', path: '/v1/me', as }, me);
  const wallet = createMerchantWallet(currency);
  await bringWallet(call, apiKey, wallet, gapLimit);
  return { ...account, session, apiKey, donateToken: project.donate_token, wallet };
}

async function bringWallet(
  call: ApiClient,
  apiKey: string,
  wallet: MerchantWallet,
  gapLimit: number,
): Promise<void> {
  const { currency, xpub, scriptType, derivationPath, addressAt } = wallet;
  const described = { currency, xpub, script_type: scriptType, derivation_path: derivationPath };
  const body = { ...described, gap_limit: gapLimit };
  const as = { apiKey };
  await call({ method: 'POST', path: '/v1/wallets', body, as }, z.unknown());
  const proof = { address: addressAt(0) };
  await call({ method: 'POST', path: `/v1/wallets/${currency}/verify`, body: proof, as }, z.unknown());
}
