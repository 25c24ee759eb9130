import type { ServerResponse } from 'node:http';

export type MarketName = 'kraken' | 'coinbase' | 'bitstamp' | 'binance';
/** A coin and the currency of its price: `BTC` and `EUR`. */
export type MarketPair = { coin: string; currency: string };

type Tickers = {
  priceOf(pair: MarketPair): number | null;
  scripted(market: MarketName): ((response: ServerResponse, pair: MarketPair) => void) | undefined;
  count(market: MarketName): void;
};

/** The documented form of one market's ticker. Each market has a path of its own, so that one address serves all. */
type TickerForm = {
  market: MarketName;
  path: RegExp;
  /** The body for prices around `price`; each market is a little off the others. */
  body(pair: MarketPair, price: number, nowMs: number): unknown;
  unknown: { status: number; body: unknown };
};

const FORMS: readonly TickerForm[] = [
  {
    market: 'kraken',
    path: /^\/0\/public\/Ticker\?pair=X?(?<coin>XBT|LTC)Z?(?<currency>[A-Z]{3})$/,
    body: ({ coin, currency }, price) => ({
      error: [],
      result: { [krakenSymbol(coin, currency)]: krakenTicker(price) },
    }),
    unknown: { status: 200, body: { error: ['EQuery:Unknown asset pair'] } },
  },
  {
    market: 'coinbase',
    path: /^\/products\/(?<coin>[A-Z]{3})-(?<currency>[A-Z]{3})\/ticker$/,
    body: (_pair, price, nowMs) => ({
      ask: decimal(price * 1.0003),
      bid: decimal(price * 1.0001),
      volume: '7815.13287145',
      trade_id: 870_112_233,
      price: decimal(price * 1.0002),
      size: '0.00210000',
      time: new Date(nowMs).toISOString().replace('Z', '123Z'),
      rfq_volume: '12.481020',
    }),
    unknown: { status: 404, body: { message: 'NotFound' } },
  },
  {
    market: 'bitstamp',
    path: /^\/api\/v2\/ticker\/(?<coin>[a-z]{3})(?<currency>[a-z]{3})\/$/,
    body: (_pair, price, nowMs) => ({
      timestamp: String(Math.floor(nowMs / 1000)),
      open: decimal(price * 0.99),
      high: decimal(price * 1.02),
      low: decimal(price * 0.98),
      last: decimal(price),
      volume: '1008.29813067',
      vwap: decimal(price * 1.001),
      bid: decimal(price * 0.9998),
      ask: decimal(price * 1.0001),
      side: '1',
      open_24: decimal(price * 0.995),
      percent_change_24: '0.50',
    }),
    unknown: { status: 404, body: { status: 'error', reason: 'Invalid currency pair' } },
  },
  {
    market: 'binance',
    path: /^\/api\/v3\/ticker\/24hr\?symbol=(?<coin>[A-Z]{3})(?<currency>[A-Z]{3})$/,
    body: ({ coin, currency }, price, nowMs) => ({
      symbol: coin + currency,
      priceChange: '-94.99999800',
      priceChangePercent: '-0.110',
      weightedAvgPrice: eight(price),
      prevClosePrice: eight(price),
      lastPrice: eight(price * 0.9997),
      lastQty: '0.00210000',
      bidPrice: eight(price * 0.9996),
      bidQty: '0.43100000',
      askPrice: eight(price * 0.9998),
      askQty: '0.10040000',
      openPrice: eight(price * 1.001),
      highPrice: eight(price * 1.02),
      lowPrice: eight(price * 0.98),
      volume: '913.30000000',
      quoteVolume: '79832114.15300000',
      openTime: nowMs - 86_400_000,
      closeTime: nowMs,
      firstId: 148_885,
      lastId: 148_960,
      count: 76,
    }),
    unknown: { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } },
  },
];

/** Answers one ticker request as its market documents it, unless it is scripted otherwise. */
export function answerTicker(path: string, response: ServerResponse, tickers: Tickers): void {
  for (const form of FORMS) {
    const groups = form.path.exec(path)?.groups;
    if (groups === undefined) continue;
    tickers.count(form.market);
    const coin = groups['coin']?.toUpperCase().replace('XBT', 'BTC') ?? '';
    const pair = { coin, currency: groups['currency']?.toUpperCase() ?? '' };
    const scripted = tickers.scripted(form.market);
    if (scripted !== undefined) return scripted(response, pair);
    const price = tickers.priceOf(pair);
    return price === null
      ? answerJson(response, form.unknown.body, form.unknown.status)
      : answerJson(response, tickerOf(form.market, pair, price));
  }
  answerJson(response, { error: 'not found' }, 404);
}

/** The documented body of a market's ticker around this price, now. */
export function tickerOf(market: MarketName, pair: MarketPair, price: number, nowMs = Date.now()): unknown {
  return FORMS.find((form) => form.market === market)?.body(pair, price, nowMs);
}

/** Writes a JSON response. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function krakenSymbol(coin: string, currency: string): string {
  const base = coin === 'BTC' ? 'XBT' : coin;
  const isOld = base === 'XBT' ? !['CHF', 'AUD'].includes(currency) : currency !== 'GBP';
  return isOld ? `X${base}Z${currency}` : base + currency;
}

function krakenTicker(price: number) {
  const [low, high] = [decimal(price * 0.98), decimal(price * 1.02)];
  return {
    a: [decimal(price * 1.0002), '1', '1.000'],
    b: [decimal(price * 1.0001), '2', '2.000'],
    c: [decimal(price), '0.00067643'],
    v: ['4083.67001100', '4412.73601799'],
    p: [decimal(price), decimal(price)],
    t: [34_619, 38_907],
    l: [low, low],
    h: [high, high],
    o: decimal(price * 0.99),
  };
}

function decimal(price: number): string {
  return price.toFixed(5);
}

function eight(price: number): string {
  return price.toFixed(8);
}
