import { createApiClient, createMerchantWallet, scriptOf, waitUntil, type Currency } from '@paywatch/dev';
import { startStack, type Stack } from '@paywatch/dev/stack';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Heard, Shown } from './compare-invoice.ts';
import type { Terms } from './decide-from-history.ts';

/** What the operator adds to the time that payers are shown. Short, so that times end within a run. */
export const GRACE_SECONDS = 3;
const TTL_SECONDS = 90;
/** Confirmations by amount: one to three. */
const TIERS = '0.001:1,0.01:2,*:3';

/** An invoice as the API answered it, and what its answer means. */
export type Sold = { publicId: string; currency: Currency; address: string; scriptHex: string; terms: Terms };

/** The whole of Paywatch on real chains, and a merchant who has sold nothing yet. */
export type ChainStage = {
  stack: Stack;
  sell(currency: Currency, type: Terms['type'], amount: bigint): Promise<Sold>;
  /** The owner's view. */
  show(publicId: string): Promise<Shown>;
  /** Whether the public view says that our view of the chain lags. */
  isDelayed(publicId: string): Promise<boolean>;
  /** Verified events that arrived for an invoice. */
  heardOf(publicId: string): Heard[];
};

/** Starts it; `parts` ends it. */
export async function setChainStage(parts: AsyncDisposableStack): Promise<ChainStage> {
  const stack = await startStack({
    ownServers: true,
    replicas: { api: 1, watcher: 2, webhookWorker: 1 },
    env: {
      LOG_LEVEL: 'warn',
      PAYMENT_GRACE_SECONDS: String(GRACE_SECONDS),
      POLL_INTERVAL_MS: '200',
      CONFIRMATIONS_BTC_ORDERS: TIERS,
      CONFIRMATIONS_LTC_ORDERS: TIERS,
      PUBLIC_READ_LIMIT_POINTS: '1000000',
      API_KEY_LIMIT_RATE: '1000000',
      API_KEY_LIMIT_BURST: '1000000',
    },
  });
  parts.defer(() => stack.stop());
  const call = createApiClient(stack.url);
  const as = { apiKey: await signUp(stack) };
  const sell: ChainStage['sell'] = async (currency, type, amount) => {
    const body = { currency, type, expected_amount: String(amount), ttl_seconds: TTL_SECONDS };
    const sold = await call({ method: 'POST', path: '/v1/invoices', body, as }, soldShape);
    const deadlineMs = Date.parse(sold.expires_at) + GRACE_SECONDS * 1000;
    return {
      publicId: sold.public_id,
      currency,
      address: sold.address,
      scriptHex: Buffer.from(scriptOf(currency, sold.address)).toString('hex'),
      terms: {
        type,
        asked: amount,
        confirmationsRequired: sold.confirmations_required,
        deadlineMs: { earliest: deadlineMs, latest: deadlineMs },
      },
    };
  };
  return {
    stack,
    sell,
    show: (publicId) => call({ method: 'GET', path: `/v1/invoices/${publicId}`, as }, shownShape),
    isDelayed: async (publicId) => {
      const shape = z.object({ chain_delayed: z.boolean() });
      return (await call({ method: 'GET', path: `/v1/public/invoices/${publicId}` }, shape)).chain_delayed;
    },
    heardOf: (publicId) => heardOf(stack, publicId),
  };
}

const soldShape = z.object({
  public_id: z.string(),
  address: z.string(),
  expires_at: z.string(),
  confirmations_required: z.number(),
});

const shownShape = z.object({
  status: z.string(),
  reversed: z.boolean(),
  received_amount: z.string(),
  confirmed_amount: z.string(),
  overpaid_amount: z.string(),
  due_amount: z.string().nullable(),
  confirmations: z.number(),
  payments: z.array(
    z.object({
      txid: z.string(),
      vout: z.number(),
      amount: z.string(),
      status: z.string(),
      late: z.boolean(),
      confirmations: z.number(),
      block_hash: z.string().nullable(),
    }),
  ),
});

/** A merchant with a wallet of each currency and an endpoint; answers the API key. */
async function signUp({ url, receiver }: Stack): Promise<string> {
  const call = createApiClient(url);
  const body = { email: 'chaos@example.org', password: randomBytes(9).toString('base64url') };
  await call({ method: 'POST', path: '/v1/auth/register', body }, z.unknown());
  const session = z.object({ session_token: z.string() });
  const { session_token: token } = await call({ method: 'POST', path: '/v1/auth/login', body }, session);
  const key = z.object({ token: z.string() });
  const { token: apiKey } = await call({ method: 'POST', path: '/v1/api-keys', as: { session: token } }, key);
  const as = { apiKey };
  for (const currency of ['BTC', 'LTC'] as const) {
    const wallet = createMerchantWallet(currency);
    const given = {
      currency,
      xpub: wallet.xpub,
      script_type: wallet.scriptType,
      derivation_path: wallet.derivationPath,
    };
    await call({ method: 'POST', path: '/v1/wallets', body: given, as }, z.unknown());
    const address = wallet.addressAt(0);
    await call(
      { method: 'POST', path: `/v1/wallets/${currency}/verify`, body: { address }, as },
      z.unknown(),
    );
    // Until its history is read the pool is shut.
    const order = { currency, type: 'order', expected_amount: '1000000' };
    await waitUntil(() => call({ method: 'POST', path: '/v1/invoices', body: order, as }, soldShape), {
      what: `a pool of ${currency} addresses`,
      timeoutMs: 60_000,
      everyMs: 500,
    });
  }
  const endpoint = z.object({ secret: z.string() });
  const { secret } = await call(
    { method: 'POST', path: '/v1/webhooks', body: { url: receiver.url }, as },
    endpoint,
  );
  receiver.setSecrets(secret);
  return apiKey;
}

function heardOf({ receiver }: Stack, publicId: string): Heard[] {
  return receiver.received.flatMap(({ event }) => {
    if (event?.data.invoice.public_id !== publicId) return [];
    const payments = 'payments' in event.data ? (event.data.payments ?? []) : [];
    return [{ eventId: event.id, type: event.type, txids: [...new Set(payments.map(({ txid }) => txid))] }];
  });
}
