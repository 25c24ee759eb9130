import { isFreshQuote, parseRate, type Quote } from '@paywatch/domain/prices';
import type { Clock } from '@paywatch/runtime/process';
import type { RatePair } from '@paywatch/store/prices';
import { request } from 'undici';
import { z } from 'zod';
import { readBody } from '../sources/node/read-body.ts';
import type { Market, Ticker } from './markets/market.ts';

/** A market at a URL. */
export type RateSource = { name: string; url: string; market: Market };

/** A price, or why the source has none; a fault contains nothing that the source sent. */
export type QuoteAnswer = { quote: Quote } | { fault: string };

const TIMEOUT_MS = 5000;
/** A ticker has less than 1 KB. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Bid and ask further apart say little about the price. */
const MAX_SPREAD = { numerator: 2n, denominator: 100n };

/** Reads the price of a pair that the source trades: the mean of its best bid and ask. Never rejects. */
export async function readQuote(source: RateSource, pair: RatePair, clock: Clock): Promise<QuoteAnswer> {
  const path = source.market.pathOf(pair);
  if (path === null) return { fault: 'does not trade this pair' };
  try {
    const { body, ageMs } = await fetchJson(source.url.replace(/\/+$/, '') + path, clock);
    return quoteOf(source, source.market.read(body, pair), ageMs, clock.nowMs());
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** Judges a ticker. `ageMs`: how long a cache in between has had it. Pure. */
export function quoteOf(
  { name }: Pick<RateSource, 'name'>,
  { bid: bidText, ask: askText, timeMs }: Ticker,
  ageMs: number,
  nowMs: number,
): QuoteAnswer {
  const [bid, ask] = [parseRate(bidText), parseRate(askText)];
  if (bid === null || ask === null) return { fault: 'price is not a plain decimal above zero' };
  if (ask < bid) return { fault: 'bid is above ask' };
  if ((ask - bid) * MAX_SPREAD.denominator > bid * MAX_SPREAD.numerator)
    return { fault: 'bid and ask are more than 2 % apart' };
  // The market's own timestamp is never later than the age that caches report for the response.
  const quotedAtMs = Math.min(timeMs ?? nowMs, nowMs - ageMs);
  if (timeMs !== null && !isFreshQuote({ source: name, value: bid, quotedAtMs: timeMs }, nowMs))
    return { fault: timeMs > nowMs ? 'price is from the future' : 'price is older than 2 minutes' };
  const quote = { source: name, value: (bid + ask) / 2n, quotedAtMs };
  return isFreshQuote(quote, nowMs) ? { quote } : { fault: 'price is older than 2 minutes' };
}

class SourceFault extends Error {}

async function fetchJson(url: string, clock: Clock): Promise<{ body: unknown; ageMs: number }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // undici's request follows no redirect: another host is another source.
  const { statusCode, headers, body } = await request(url, {
    signal,
    headers: { accept: 'application/json', 'user-agent': 'paywatch' },
  });
  const bytes = await readBody(body, MAX_ANSWER_BYTES);
  if (statusCode !== 200) throw new SourceFault(`answered ${statusCode}`);
  return { body: parseJson(bytes), ageMs: answerAgeMs(headers, clock.nowMs()) };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new SourceFault('answer is not JSON');
  }
}

/** RFC 9111, 4.2.3: how long caches have held the response, by `Age` and by `Date`. A cache may omit `Age`. */
function answerAgeMs({ age, date }: Record<string, string | string[] | undefined>, nowMs: number): number {
  return Math.max(0, age === undefined ? 0 : ageOf(age), date === undefined ? 0 : nowMs - dateOf(date));
}

/** An age that is not a number makes the response too old. */
function ageOf(header: string | string[]): number {
  return typeof header === 'string' && /^[0-9]{1,9}$/.test(header) ? Number(header) * 1000 : Infinity;
}

/** So does a date that is none. */
function dateOf(header: string | string[]): number {
  const ms = typeof header === 'string' ? Date.parse(header) : NaN;
  return Number.isNaN(ms) ? -Infinity : ms;
}

function faultOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'answer has an unexpected shape';
  if (error instanceof SourceFault) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 5 s';
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : 'failed';
}
