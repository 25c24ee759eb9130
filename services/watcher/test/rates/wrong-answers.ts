import { answerJson, tickerOf, type MarketAnswer, type MarketName } from '@paywatch/dev/servers';

const PRICE = { BTC: 87_412.35, LTC: 81.42 };

/** Wrong responses that markets have sent, or could send. Each is made for one market. */
export const WRONG_ANSWERS: Readonly<Record<string, (market: MarketName) => MarketAnswer>> = {
  'an HTML page with status 200': () => (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Maintenance</body></html>'),
  'status 403': () => (response) => answerJson(response, { error: 'forbidden' }, 403),
  'status 429': () => (response) => answerJson(response, { error: ['EAPI:Rate limit exceeded'] }, 429),
  'status 504': () => (response) => void response.writeHead(504).end('gateway timeout'),
  'the right answer with status 500': (market) => (response, pair) =>
    answerJson(response, tickerOf(market, pair, priceOf(pair.coin)), 500),
  'a redirect': () => (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  'an empty body': () => (response) => void response.writeHead(200).end(),
  'an empty object': () => (response) => answerJson(response, {}),
  null: () => (response) => answerJson(response, null),
  'an error with status 200': () => (response) =>
    answerJson(response, { error: ['EService:Unavailable'], status: 'error', code: -1121 }),
  NaN: (market) => changed(market, () => 'NaN'),
  zero: (market) => changed(market, () => '0.00000'),
  'a negative price': (market) => changed(market, (price) => `-${price}`),
  'an exponent': (market) => changed(market, (price) => `${price}e1`),
  'a price as a number with a comma': (market) => changed(market, (price) => price.replace('.', ',')),
  'prices as JSON numbers': (market) => changed(market, (price) => Number(price)),
  'ten times the price': (market) => changed(market, (price) => (Number(price) * 10).toFixed(5)),
  'a tenth of the price': (market) => changed(market, (price) => (Number(price) / 10).toFixed(5)),
  'another coin’s price': (market) => (response, pair) =>
    answerJson(response, tickerOf(market, pair, priceOf(pair.coin === 'BTC' ? 'LTC' : 'BTC'))),
  'bid and ask swapped': (market) => (response, pair) => {
    const text = JSON.stringify(tickerOf(market, pair, priceOf(pair.coin)));
    const swapped = text
      .replaceAll(/"(ask|askPrice|a)":/g, '"x$1":')
      .replaceAll(/"bid":/g, '"ask":')
      .replaceAll(/"bidPrice":/g, '"askPrice":')
      .replaceAll(/"b":/g, '"a":')
      .replaceAll(/"xask":/g, '"bid":')
      .replaceAll(/"xaskPrice":/g, '"bidPrice":')
      .replaceAll(/"xa":/g, '"b":');
    response.writeHead(200).end(swapped);
  },
  'an answer that a cache has had for three minutes': (market) => (response, pair) => {
    response.setHeader('age', '180');
    answerJson(response, tickerOf(market, pair, priceOf(pair.coin)));
  },
  'an answer of three minutes ago from a cache without an age': (market) => (response, pair) => {
    response.setHeader('date', new Date(Date.now() - 180_000).toUTCString());
    answerJson(response, tickerOf(market, pair, priceOf(pair.coin)));
  },
  'half an answer, then a closed connection': (market) => (response, pair) => {
    const text = JSON.stringify(tickerOf(market, pair, priceOf(pair.coin)));
    response.writeHead(200, { 'content-length': text.length });
    response.write(text.slice(0, text.length / 2));
    setImmediate(() => response.destroy());
  },
  'a megabyte': () => (response) => void response.writeHead(200).end(`"${'1'.repeat(1_000_000)}"`),
};

function priceOf(coin: string): number {
  return coin === 'BTC' ? PRICE.BTC : PRICE.LTC;
}

/** The documented response with other prices as bid and ask. */
function changed(market: MarketName, change: (price: string) => string | number): MarketAnswer {
  return (response, pair) => {
    const text = JSON.stringify(tickerOf(market, pair, priceOf(pair.coin)));
    const body = text
      .replaceAll(
        /"(ask|bid|askPrice|bidPrice)":"([^"]+)"/g,
        (_all, name, price: string) => `"${String(name)}":${JSON.stringify(change(price))}`,
      )
      .replaceAll(
        /"(a|b)":\["([^"]+)"/g,
        (_all, name, price: string) => `"${String(name)}":[${JSON.stringify(change(price))}`,
      );
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}
