import { ApiProblem, type ApiClient } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { createMerchantWallet, type Currency } from '@paywatch/dev/wallet';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Sale } from './judge/compare/compare-terms.ts';
import type { Terms } from './judge/decide-from-history.ts';
import { specAddresses, type SpecAddresses } from '../spec/spec-addresses.ts';
import { expiryOf, extendedExpiry, requiredConfirmations } from '../spec/spec-terms.ts';

/** What the operator adds to the time that payers are shown. Short, so that times end within a run. */
export const GRACE_SECONDS = 3;
/** How much an order may fall short: one percent. */
export const TOLERANCE_BPS = 100;
const TTL_SECONDS = 90;

/** An invoice as it was asked for, and what the specification makes of that. */
export type Sold = {
  publicId: string;
  currency: Currency;
  /** Derived by the driver; the answer named the index alone. */
  address: string;
  scriptHex: string;
  terms: Terms;
  sale: Sale;
  shop: Shop;
  /** Asks for a quarter of an hour more, and moves the terms. Null where the answer is that it cannot be extended any more. */
  extend(): Promise<void>;
};

/** What is sold: the texts of an order and of a donor appear in every view and event. */
export type Order = { currency: Currency; type: Terms['type']; amount: bigint; ttlSeconds?: number };

/** A merchant with a wallet of each currency. */
export type Shop = {
  email: string;
  apiKey: string;
  session: string;
  /** Where the serving wallet's keys lead. */
  addresses(currency: Currency): SpecAddresses;
  xpubs: Record<Currency, string>;
  /** Sells until the pool has an address; null after `tries` responses that it has none. */
  sell(order: Order, tries?: number): Promise<Sold | null>;
  /** A new key takes over from the former one. */
  replaceWallet(currency: Currency): Promise<void>;
};

/** Signs up, with fresh keys or with those of another shop. */
export async function openShop(
  call: ApiClient,
  url: string,
  { name, gapLimit, keysOf }: { name: string; gapLimit?: number; keysOf?: Shop },
): Promise<Shop> {
  const account = { email: `${name}@example.org`, password: randomBytes(9).toString('base64url') };
  await call({ method: 'POST', path: '/v1/auth/register', body: account }, z.unknown());
  const login = { method: 'POST', path: '/v1/auth/login', body: account } as const;
  const { session_token: session } = await call(login, z.object({ session_token: z.string() }));
  const token = z.object({ token: z.string() });
  const { token: apiKey } = await call({ method: 'POST', path: '/v1/api-keys', as: { session } }, token);
  const wallets = new Map<Currency, SpecAddresses>();
  const xpubs = { BTC: '', LTC: '' };
  const bring = async (currency: Currency, given?: string): Promise<void> => {
    const fresh = createMerchantWallet(currency);
    const xpub = given ?? fresh.xpub;
    const body = {
      currency,
      xpub,
      script_type: fresh.scriptType,
      derivation_path: fresh.derivationPath,
      ...(gapLimit === undefined ? {} : { gap_limit: gapLimit }),
    };
    await call({ method: 'POST', path: '/v1/wallets', body, as: { apiKey } }, z.unknown());
    const derived = specAddresses(currency, xpub, { scriptType: fresh.scriptType });
    const proof = { address: derived.addressAt(0) };
    const path = `/v1/wallets/${currency}/verify`;
    await call({ method: 'POST', path, body: proof, as: { apiKey } }, z.unknown());
    wallets.set(currency, derived);
    xpubs[currency] = xpub;
  };
  for (const currency of ['BTC', 'LTC'] as const) await bring(currency, keysOf?.xpubs[currency]);
  const addresses = (currency: Currency): SpecAddresses => {
    const known = wallets.get(currency);
    if (!known) throw new Error(`${name} has no ${currency} wallet`);
    return known;
  };
  const shop: Shop = {
    email: account.email,
    apiKey,
    session,
    xpubs,
    addresses,
    replaceWallet: (currency) => bring(currency),
    sell: (order, tries = 1) => sell({ call, url, shop }, order, tries),
  };
  return shop;
}

/** Waits until a pool hands addresses out, by the one invoice that it costs. */
export function poolOpens(shop: Shop, currency: Currency): Promise<Sold> {
  return waitUntil(() => shop.sell({ currency, type: 'order', amount: 1_000_000n }), {
    what: `a pool of ${currency} addresses`,
    everyMs: 500,
  });
}

const soldShape = z.object({ public_id: z.string(), address_index: z.int(), created_at: z.string() });
let orders = 0;

type Counter = { call: ApiClient; url: string; shop: Shop };

async function sell(counter: Counter, order: Order, tries: number): Promise<Sold | null> {
  for (let tried = 0; tried < tries; tried += 1) {
    try {
      return await sellOnce(counter, order);
    } catch (error) {
      // No address is free, or the balancer has no replica that responds in time.
      if (!(error instanceof ApiProblem && error.status === 503)) throw error;
    }
  }
  return null;
}

async function sellOnce({ call, url, shop }: Counter, order: Order): Promise<Sold> {
  const { currency, type, amount, ttlSeconds = TTL_SECONDS } = order;
  orders += 1;
  const isDonation = type === 'donation';
  const texts = {
    orderId: `order ${orders}`,
    donorName: isDonation ? `Ann ${orders}` : null,
    donorMessage: isDonation ? 'for “you” <3' : null,
    returnUrl: isDonation ? null : `https://shop.example/orders/${orders}`,
    renewUrl: isDonation ? null : `https://shop.example/orders/${orders}/pay`,
    description: isDonation ? null : `Order “${orders}” <3`,
    lines: isDonation ? [] : [{ name: 'Tea & biscuits', quantity: 1 + (orders % 3), amount: null }],
  };
  const body = {
    currency,
    type,
    expected_amount: String(amount),
    ttl_seconds: ttlSeconds,
    order_id: texts.orderId,
    ...(isDonation
      ? { donor_name: texts.donorName, donor_message: texts.donorMessage }
      : {
          return_url: texts.returnUrl,
          renew_url: texts.renewUrl,
          description: texts.description,
          lines: texts.lines,
        }),
  };
  const addresses = shop.addresses(currency);
  const requestedMs = Date.now();
  const as = { apiKey: shop.apiKey };
  const answer = await call({ method: 'POST', path: '/v1/invoices', body, as }, soldShape);
  const sale: Sale = {
    ...texts,
    publicId: answer.public_id,
    currency,
    type,
    asked: amount,
    ttlSeconds,
    publicUrl: url,
    addresses,
    addressIndex: answer.address_index,
    isReused: false,
    createdAt: answer.created_at,
    requestedMs,
    answeredMs: Date.now(),
    imported: null,
    extension: null,
  };
  return soldOf({ call, shop }, sale);
}

/** What the specification makes of a sale. */
export function soldOf({ call, shop }: Pick<Counter, 'call' | 'shop'>, sale: Sale): Sold {
  const { currency, type, asked, addresses, addressIndex, publicId } = sale;
  const firstEndMs = expiryOf(Date.parse(sale.createdAt), sale.ttlSeconds);
  const sold: Sold = {
    publicId,
    currency,
    address: addresses.addressAt(addressIndex),
    scriptHex: addresses.scriptHexAt(addressIndex),
    terms: {
      type,
      asked: asked ?? 0n,
      toleranceBps: TOLERANCE_BPS,
      confirmationsRequired: requiredConfirmations(type, currency, asked),
      deadlineMs: withGrace(firstEndMs, firstEndMs),
    },
    sale,
    shop,
    extend: async () => {
      const requestedMs = Date.now();
      const path = `/v1/invoices/${publicId}/extend`;
      await call({ method: 'POST', path, as: { apiKey: shop.apiKey } }, z.unknown());
      sale.extension = { requestedMs, answeredMs: Date.now() };
      const [earliest, latest] = [requestedMs, sale.extension.answeredMs].map((ms) =>
        extendedExpiry(firstEndMs, ms),
      );
      sold.terms.deadlineMs = withGrace(earliest ?? firstEndMs, latest ?? firstEndMs);
    },
  };
  return sold;
}

function withGrace(earliest: number, latest: number): Terms['deadlineMs'] {
  return { earliest: earliest + GRACE_SECONDS * 1000, latest: latest + GRACE_SECONDS * 1000 };
}
