import { createMerchantWallet } from '@paywatch/dev/wallet';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bringNetworkedWallet, type NetworkedMerchant } from './hostile-merchant.ts';
import type { NetworkedClient, Reply } from '../shared/networked-client.ts';

/** The attacking account and its network, and a victim whose donation link is flooded. */
export type Hostile = { client: NetworkedClient; account: NetworkedMerchant; victimToken: string };

type Action = (hostile: Hostile, number: number, signal: AbortSignal) => Promise<Reply | { status: number }>;

/** Just below the limit of request bodies. */
const LONG = 60_000;
/** Pause between repetitions, so that the driver itself does not slow down honest users. */
const PAUSE_MS = 50;
const STREAMS_HELD = 400;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ({ method: 'POST', path, body, headers }) as const;
const keyOf = ({ account }: Hostile) => ({ 'x-api-key': account.apiKey });
const sessionOf = ({ account }: Hostile) => ({ authorization: `Bearer ${account.session}` });
const donation = { currency: 'LTC', donor_name: '\u3164\u202E', donor_message: 'a\u0300\u0316'.repeat(40) };

/** The actions of the attacker, which run concurrently and are repeated. */
const ACTIONS: Readonly<Record<string, Action>> = {
  logins_of_combining_marks: ({ client }, number) => {
    const password = '\u0300\u0316'.repeat(LONG / 4);
    return client.send(post('/v1/auth/login', { email: `merchant-${number % 20}@example.org`, password }));
  },
  registrations: ({ client }, number) => {
    const account = { email: `bot-${number}@example.org`, password: randomBytes(12).toString('hex') };
    return client.send(post('/v1/auth/register', account));
  },
  unknown_keys: ({ client }, number) =>
    client.send({ path: '/v1/stats', headers: { 'x-api-key': `pw_${number}_${'x'.repeat(40)}` } }),
  huge_gap_limits: async ({ client, account }) => {
    const [, verified] = await bringNetworkedWallet(client, account.apiKey, 100_000);
    return verified;
  },
  abandoned_wallets: (hostile) => {
    const { xpub, derivationPath } = createMerchantWallet('LTC');
    const body = { currency: 'LTC', xpub, derivation_path: derivationPath, gap_limit: 100_000 };
    return hostile.client.send(post('/v1/wallets', body, keyOf(hostile)));
  },
  bad_xpubs: (hostile) => {
    const body = { currency: 'LTC', xpub: `Ltub${randomBytes(200).toString('hex')}` };
    return hostile.client.send(post('/v1/wallets', body, keyOf(hostile)));
  },
  key_creations: (hostile) => hostile.client.send(post('/v1/api-keys', undefined, sessionOf(hostile))),
  overlay_tests: (hostile) => hostile.client.send(post('/v1/overlay/test', undefined, sessionOf(hostile))),
  invoices: (hostile, number) => {
    const body = { currency: 'LTC', type: 'order', expected_amount: '100000', ttl_seconds: 60 };
    return hostile.client.send(post('/v1/invoices', { ...body, order_id: `junk-${number}` }, keyOf(hostile)));
  },
  donations_to_a_victim: ({ client, victimToken }) =>
    client.send(post(`/v1/public/donate/${victimToken}`, donation)),
  donations_to_itself: ({ client, account }) =>
    client.send(post(`/v1/public/donate/${account.donateToken}`, donation)),
  cross_site_posts: ({ client, victimToken }) =>
    client.send({
      method: 'POST',
      path: `/donate/${victimToken}`,
      raw: 'currency=LTC&donor_name=x',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
    }),
  forged_headers: ({ client, victimToken }, number) =>
    client.send({
      ...post(`/v1/public/donate/${victimToken}`, donation),
      headers: { 'x-forwarded-for': `192.0.2.${number % 256}`, forwarded: 'for=127.0.0.1' },
    }),
  malformed_bodies: ({ client }) =>
    client.send({ method: 'POST', path: '/v1/auth/login', raw: '['.repeat(LONG) }),
};

/** Repeats all actions until the signal aborts. Returns how often each was done. */
export async function misbehave(hostile: Hostile, signal: AbortSignal): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await Promise.all([
    ...Object.entries(ACTIONS).map(async ([name, action]) => {
      for (let number = 0; !signal.aborted; number += 1) {
        await action(hostile, number, signal);
        counts[name] = number + 1;
        await sleep(PAUSE_MS);
      }
    }),
    floodStreams(hostile, signal).then((opened) => (counts['streams'] = opened)),
  ]);
  return counts;
}

/** Opens streams of unknown invoices, more than the limit allows. */
async function floodStreams({ client }: Hostile, signal: AbortSignal): Promise<number> {
  let opened = 0;
  for (; !signal.aborted && opened < STREAMS_HELD; opened += 1) {
    const path = `/v1/public/invoices/inv_${randomBytes(8).toString('hex')}/events`;
    await client.open(path, signal);
    await sleep(PAUSE_MS);
  }
  return opened;
}
