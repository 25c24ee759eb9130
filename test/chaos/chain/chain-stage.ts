import type { ChainNode } from '@paywatch/dev/nodes';
import { createApiClient, type ApiClient, startStack, type Stack } from '@paywatch/dev/stack';
import type { Currency } from '@paywatch/dev/wallet';
import { z } from 'zod';
import { startEsploraServer } from '../../../services/watcher/test/support/sources/esplora-server.ts';
import { GRACE_SECONDS, openShop, poolOpens, TOLERANCE_BPS, type Shop, type Sold } from './chain-shops.ts';
import type { ArrivedEvent } from './judge/compare/compare-event.ts';
import { esploraAlone, type EsploraAlone } from './sources/esplora-alone.ts';
import { startNodeDoor } from './sources/node-door.ts';
import { startLyingEsplora, type LyingEsplora } from './sources/lying-esplora.ts';
import { ORDER_TIERS_SETTING } from '../spec/spec-terms.ts';
import { started } from '../shared/stage.ts';

/** How long an address rests: so short that it is leased again within a run. */
export const QUARANTINE_SECONDS = 10;
/** Orders above so many bitcoins wait for a second source. */
const TWO_SOURCES_ABOVE = '0.015';
/** The same in satoshi. */
export const TWO_SOURCES_ABOVE_SATS = 1_500_000n;
/** By how much the clocks of processes are wrong: more than a minute and a half, less than what no clock may prove. */
export const CLOCK_SKEW_MS = 95_000;
/** So few that a shop has to lease its addresses again. */
const SMALL_GAP = 6;

/** The whole of Paywatch on real chains, and shops that have sold what opened their pools. */
export type ChainStage = {
  stack: Stack;
  call: ApiClient;
  shops: Shops;
  /** A stand-in for the bitcoin node that invents blocks; beside it is an honest one. */
  liar: LyingEsplora;
  /** Of litecoin. */
  esploraAlone: EsploraAlone;
  /** The unpaid invoices that opening the pools took. */
  opening: Sold[];
  /** The owner's view, and the payers' one. */
  show(sold: Sold): Promise<{ shown: unknown; shownToPayers: unknown }>;
  /** Whether the payers' view says that our view of the chain lags, and which payments it shows. */
  showToPayers(publicId: string): Promise<{ isDelayed: boolean; txids: string[] }>;
  /** The time of each chain's last complete read, according to the status page; epoch milliseconds. */
  readTimes(): Promise<Map<Currency, number>>;
  /** Webhooks that arrived for an invoice, and whose signature was right. */
  arrivedFor(publicId: string): ArrivedEvent[];
};

/**
 * `main` sells most; `small` has to lease its addresses again; `guest` has the keys of `main`; `moving` changes its wallet;
 * `importing` takes over orders of another system.
 */
type Shops = { main: Shop; small: Shop; guest: Shop; moving: Shop; importing: Shop };

/** Fails every question until there is one. */
const NO_NODE = {
  currency: 'BTC',
  get rpc(): never {
    throw new Error('there is no node yet');
  },
} as unknown as ChainNode;

const pageShape = z.object({
  chain_delayed: z.boolean(),
  payments: z.array(z.object({ txid: z.string() })),
});

const statusShape = z.object({
  chains: z.array(z.object({ currency: z.enum(['BTC', 'LTC']), read_at: z.string() })),
});

/** Starts it; `parts` ends it. */
export async function setChainStage(parts: AsyncDisposableStack): Promise<ChainStage> {
  // They show the nodes of the stack, which are not there yet.
  const honest = await startEsploraServer(NO_NODE);
  parts.defer(() => honest.close());
  const standIn = await startEsploraServer(NO_NODE);
  parts.defer(() => standIn.close());
  const door = await started(parts, startNodeDoor());
  const liar = await started(parts, startLyingEsplora(honest.url));
  const stack = await startStack({
    ownServers: true,
    realBitcoin: true,
    replicas: { api: 1, watcher: 2, webhookWorker: 1 },
    env: {
      LOG_LEVEL: 'warn',
      PAYMENT_GRACE_SECONDS: String(GRACE_SECONDS),
      TOLERANCE_BPS: String(TOLERANCE_BPS),
      QUARANTINE_SECONDS: String(QUARANTINE_SECONDS),
      QUARANTINE_DRY_SECONDS: String(QUARANTINE_SECONDS),
      POLL_INTERVAL_MS: '200',
      BTC_ESPLORA_URL: `${honest.url},${liar.url}`,
      LTC_NODE_URL: door.url,
      LTC_ESPLORA_URL: standIn.url,
      ESPLORA_POLL_INTERVAL_MS: '500',
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${import.meta.resolve('./clocks/skewed-clock.ts')}`,
      CLOCK_SKEW_MS: String(CLOCK_SKEW_MS),
      SECOND_SOURCE_ABOVE_BTC: TWO_SOURCES_ABOVE,
      CONFIRMATIONS_BTC_ORDERS: ORDER_TIERS_SETTING,
      CONFIRMATIONS_LTC_ORDERS: ORDER_TIERS_SETTING,
      PUBLIC_READ_LIMIT_POINTS: '1000000',
      API_KEY_LIMIT_RATE: '1000000',
      API_KEY_LIMIT_BURST: '1000000',
    },
  });
  parts.defer(() => stack.stop());
  honest.show(stack.nodes.BTC);
  standIn.show(stack.nodes.LTC);
  door.show(stack.nodes.LTC);
  const call = createApiClient(stack.url);
  const shops = await openShops(stack, call);
  const opening: Sold[] = [];
  for (const shop of Object.values(shops))
    for (const currency of ['BTC', 'LTC'] as const) opening.push(await poolOpens(shop, currency));
  return {
    stack,
    call,
    shops,
    liar,
    esploraAlone: esploraAlone(door, standIn),
    opening,
    show: async ({ publicId, shop: { apiKey } }) => ({
      shown: await call({ method: 'GET', path: `/v1/invoices/${publicId}`, as: { apiKey } }, z.unknown()),
      shownToPayers: await call({ method: 'GET', path: `/v1/public/invoices/${publicId}` }, z.unknown()),
    }),
    showToPayers: async (publicId) => {
      const path = `/v1/public/invoices/${publicId}`;
      const { chain_delayed: isDelayed, payments } = await call({ method: 'GET', path }, pageShape);
      return { isDelayed, txids: payments.map(({ txid }) => txid) };
    },
    readTimes: async () => {
      const { chains } = await call({ method: 'GET', path: '/v1/public/status' }, statusShape);
      return new Map(chains.map(({ currency, read_at: readAt }) => [currency, Date.parse(readAt)]));
    },
    arrivedFor: (publicId) =>
      stack.receiver.received.flatMap(({ event, rawBody, receivedAtMs }) =>
        event?.data.invoice.public_id === publicId ? [{ rawBody, receivedAtMs }] : [],
      ),
  };
}

/** All merchants share one webhook receiver. */
async function openShops(stack: Stack, call: ApiClient): Promise<Shops> {
  const main = await openShop(call, stack.url, { name: 'main' });
  const shops = {
    main,
    small: await openShop(call, stack.url, { name: 'small', gapLimit: SMALL_GAP }),
    guest: await openShop(call, stack.url, { name: 'guest', keysOf: main }),
    moving: await openShop(call, stack.url, { name: 'moving' }),
    importing: await openShop(call, stack.url, { name: 'importing', gapLimit: SMALL_GAP }),
  };
  const secrets: string[] = [];
  for (const { apiKey } of Object.values(shops)) {
    const body = { url: stack.receiver.url };
    const endpoint = { method: 'POST', path: '/v1/webhooks', body, as: { apiKey } } as const;
    secrets.push((await call(endpoint, z.object({ secret: z.string() }))).secret);
  }
  stack.receiver.setSecrets(...secrets);
  return shops;
}
