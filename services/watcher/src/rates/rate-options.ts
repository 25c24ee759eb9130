import { CURRENCIES } from '@paywatch/domain/values';
import type { WatcherVariables } from '../config.ts';
import { binance } from './markets/binance.ts';
import { bitstamp } from './markets/bitstamp.ts';
import { coinbase } from './markets/coinbase.ts';
import { kraken } from './markets/kraken.ts';
import { ownSource } from './markets/own-source.ts';
import type { RateSource } from './read-quote.ts';
import type { RateOptions } from './refresh-rates.ts';

/** Three readings fit into the two minutes that a rate may be used. */
const INTERVAL_SECONDS = 20;
/** Kraken allows about one request in a second; the others more. */
const PAUSE_MS = 1000;

type RateVariables = Pick<
  WatcherVariables,
  | 'RATE_CURRENCIES'
  | 'RATE_SOURCES'
  | 'RATE_MIN_SOURCES'
  | 'RATE_URL'
  | 'KRAKEN_URL'
  | 'COINBASE_URL'
  | 'BITSTAMP_URL'
  | 'BINANCE_URL'
>;

/** The sources and pairs of a configuration. */
export function rateOptions(env: RateVariables): RateOptions {
  const sources = sourcesOf(env);
  const pairs = env.RATE_CURRENCIES.flatMap((code) => CURRENCIES.map((currency) => ({ currency, in: code })));
  return {
    sources,
    // Without sources there is nothing to claim, and no alert about rates that nobody wants.
    pairs: sources.length === 0 ? [] : pairs,
    minSources: env.RATE_MIN_SOURCES,
    intervalSeconds: INTERVAL_SECONDS,
    pauseMs: isLocal(env.KRAKEN_URL) ? 0 : PAUSE_MS,
  };
}

function sourcesOf(env: RateVariables): RateSource[] {
  const markets = [
    { market: kraken, url: env.KRAKEN_URL },
    { market: coinbase, url: env.COINBASE_URL },
    { market: bitstamp, url: env.BITSTAMP_URL },
    { market: binance, url: env.BINANCE_URL },
  ];
  const chosen = markets.filter(({ market: { name } }) => env.RATE_SOURCES.some((each) => each === name));
  const own = env.RATE_URL === undefined ? [] : [{ market: ownSource, url: env.RATE_URL }];
  return [...chosen, ...own].map(({ market, url }) => ({
    market,
    url,
    // The servers of the development stack return invented prices: every rate from them is marked.
    name: isLocal(url) && market !== ownSource ? `${market.name} (local)` : market.name,
  }));
}

function isLocal(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
