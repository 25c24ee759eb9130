import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../free-port.ts';
import { answerTicker, type MarketName, type MarketPair } from './market-tickers.ts';

/** Handles one ticker request: writes the scripted response, or leaves the request open. */
export type MarketAnswer = (response: ServerResponse, pair: MarketPair) => void;

/** Answers the public tickers of Kraken, Coinbase Exchange, Bitstamp and Binance as they are documented, at one address. */
export type MarketServer = {
  url: string;
  /** The variables by which a watcher reads these tickers instead of the markets'. */
  env: Record<string, string>;
  /** Sets the price of one coin in a currency, on all markets. */
  setPrice(coin: string, currency: string, price: number): void;
  /** Answers all requests to one market like this; undefined: as documented. */
  answer(market: MarketName, answer: MarketAnswer | undefined): void;
  /** The number of requests to one market. */
  requests(market: MarketName): number;
  /** Closes the server and open requests. Safe to call twice. */
  stop(): Promise<void>;
};

/** Prices of the development stack: invented, and constant so that a demo can be followed. */
const PRICES = {
  BTC: { EUR: 87_412.35, USD: 95_820.1, GBP: 74_310.5, CAD: 131_400.8, JPY: 14_210_300, CHF: 82_150.4 },
  LTC: { EUR: 81.42, USD: 89.25, GBP: 69.21 },
};

/** Starts it on a free port of 127.0.0.1. */
export async function startMarketServer(): Promise<MarketServer> {
  const prices = new Map(
    Object.entries(PRICES).flatMap(([coin, byCurrency]) =>
      Object.entries(byCurrency).map(([currency, price]) => [`${coin} ${currency}`, price] as const),
    ),
  );
  const scripted = new Map<MarketName, MarketAnswer>();
  const counts = new Map<MarketName, number>();
  const server = createServer((request: IncomingMessage, response) => {
    answerTicker(request.url ?? '', response, {
      priceOf: ({ coin, currency }) => prices.get(`${coin} ${currency}`) ?? null,
      scripted: (market) => scripted.get(market),
      count: (market) => counts.set(market, (counts.get(market) ?? 0) + 1),
    });
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${port}`;
  let stopped: Promise<void> | undefined;
  return {
    url,
    env: { KRAKEN_URL: url, COINBASE_URL: url, BITSTAMP_URL: url, BINANCE_URL: url },
    setPrice: (coin, currency, price) => void prices.set(`${coin} ${currency}`, price),
    answer: (market, answer) => void (answer ? scripted.set(market, answer) : scripted.delete(market)),
    requests: (market) => counts.get(market) ?? 0,
    stop: () => (stopped ??= close(server)),
  };
}

async function close(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
