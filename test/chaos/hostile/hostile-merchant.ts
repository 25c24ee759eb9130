import { createMerchantWallet } from '@paywatch/dev/wallet';
import { randomBytes } from 'node:crypto';
import type { NetworkedClient, Reply } from '../shared/networked-client.ts';

/** An account, used by its owner from its own network. */
export type NetworkedMerchant = {
  email: string;
  password: string;
  session: string;
  apiKey: string;
  donateToken: string;
};

/** Registers, logs in and creates an API key. Throws if a request is rejected. */
export async function openNetworkedMerchant(
  client: NetworkedClient,
  name: string,
): Promise<NetworkedMerchant> {
  const account = { email: `${name}@example.org`, password: randomBytes(12).toString('hex') };
  await expected(client.send({ method: 'POST', path: '/v1/auth/register', body: account }));
  const login = await expected(client.send({ method: 'POST', path: '/v1/auth/login', body: account }));
  const session = String(login['session_token']);
  const headers = { authorization: `Bearer ${session}` };
  const key = await expected(client.send({ method: 'POST', path: '/v1/api-keys', headers }));
  const me = await expected(client.send({ path: '/v1/me', headers }));
  const { donate_token: donateToken } = me['project'] as { donate_token: string };
  return { ...account, session, apiKey: String(key['token']), donateToken };
}

/** Registers a new wallet and verifies it. Returns both responses. */
export async function bringNetworkedWallet(
  client: NetworkedClient,
  apiKey: string,
  gapLimit: number,
): Promise<[registered: Reply, verified: Reply]> {
  const { currency, xpub, scriptType, derivationPath, addressAt } = createMerchantWallet('LTC');
  const headers = { 'x-api-key': apiKey };
  const described = { currency, xpub, script_type: scriptType, derivation_path: derivationPath };
  const registered = await client.send({
    method: 'POST',
    path: '/v1/wallets',
    headers,
    body: { ...described, gap_limit: gapLimit },
  });
  const verified = await client.send({
    method: 'POST',
    path: `/v1/wallets/${currency}/verify`,
    headers,
    body: { address: addressAt(0) },
  });
  return [registered, verified];
}

async function expected(sending: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await sending;
  if (status < 200 || status > 299)
    throw new Error(`a request of an honest user returned ${status} ${JSON.stringify(body)}`);
  return body;
}
