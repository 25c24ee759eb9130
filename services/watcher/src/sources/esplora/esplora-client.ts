import { pause, type Clock } from '@paywatch/runtime/process';
import { randomFraction } from '@paywatch/runtime/security';
import { Pool } from 'undici';
import type { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import { readBody } from '../node/read-body.ts';

const TIMEOUT_MS = 30_000;
/** Concurrent requests, within what a public server allows one client. */
export const ESPLORA_REQUESTS_AT_ONCE = 4;
const MAX_TRIES = 4;
const FIRST_DELAY_MS = 250;
/** If a server asks for a longer wait, the request fails at once, so that another source can be used. */
const LONGEST_WAIT_MS = 10_000;
/** Larger than a block with Litecoin's extension block, and than the txids of the largest mempools seen. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

type Answer =
  { kind: 'found'; body: Buffer } | { kind: 'missing' } | { kind: 'busy'; error: ChainSourceError };

/**
 * Sends GET requests to an Esplora server, a few at once. After 429, 5xx and lost connections it retries with backoff and
 * jitter. A `Retry-After` delays every request of this client. All other failures are a ChainSourceError.
 */
export class EsploraClient {
  readonly name: string;
  readonly #pool: Pool;
  readonly #base: string;
  readonly #clock: Clock;
  readonly #slots: { free: number; waiting: (() => void)[] } = {
    free: ESPLORA_REQUESTS_AT_ONCE,
    waiting: [],
  };
  #notBeforeMs = 0;
  #lastDateMs: number | null = null;

  constructor(baseUrl: string, clock: Clock) {
    const url = new URL(baseUrl);
    this.name = url.host;
    this.#base = url.pathname.replace(/\/+$/, '');
    this.#clock = clock;
    this.#pool = new Pool(url.origin, { connections: ESPLORA_REQUESTS_AT_ONCE });
  }

  /** The bytes at a path; null if the server responds 404. */
  async find(path: string): Promise<Buffer | null> {
    await this.#takeSlot();
    try {
      return await this.#tryUntilAnswered(path);
    } finally {
      this.#freeSlot();
    }
  }

  /** As `find`, but 404 is an error. */
  async get(path: string): Promise<Buffer> {
    const body = await this.find(path);
    if (body === null) throw this.failure(`${path} is not there`);
    return body;
  }

  async getText<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.#parse(path, schema, (await this.get(path)).toString('utf8').trim());
  }

  async getJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.#parse(path, schema, this.#json(path, await this.get(path)));
  }

  /** As `getJson`; null if the server responds 404. */
  async findJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    const body = await this.find(path);
    return body === null ? null : this.#parse(path, schema, this.#json(path, body));
  }

  /** The Date header of the last response, in epoch milliseconds with a resolution of one second; null if it had none. */
  get lastDateMs(): number | null {
    return this.#lastDateMs;
  }

  failure(message: string, options?: ErrorOptions): ChainSourceError {
    return new ChainSourceError(`${this.name}: ${message}`, null, options);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #tryUntilAnswered(path: string): Promise<Buffer | null> {
    for (let tries = 1; ; tries += 1) {
      await this.#awaitTurn();
      const answer = await this.#request(path);
      if (answer.kind === 'found') return answer.body;
      if (answer.kind === 'missing') return null;
      if (tries === MAX_TRIES) throw answer.error;
      // Half of the delay is random, so that watchers that failed together do not retry together.
      await pause(FIRST_DELAY_MS * 2 ** (tries - 1) * (0.5 + randomFraction() / 2));
    }
  }

  async #awaitTurn(): Promise<void> {
    const waitMs = this.#notBeforeMs - this.#clock.nowMs();
    if (waitMs > LONGEST_WAIT_MS) {
      throw this.failure(`asks for a pause of ${Math.ceil(waitMs / 1000)} s more`);
    }
    if (waitMs > 0) await pause(waitMs);
  }

  async #request(path: string): Promise<Answer> {
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        path: this.#base + path,
        method: 'GET',
        headers: { 'user-agent': 'paywatch' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      this.#noteDate(headers['date']);
      const bytes = await readBody(body, MAX_ANSWER_BYTES);
      if (statusCode === 200) return { kind: 'found', body: bytes };
      if (statusCode === 404) return { kind: 'missing' };
      const error = this.failure(`${path} answered ${statusCode}`);
      if (statusCode !== 429 && statusCode < 500) throw error;
      this.#noteRetryAfter(headers['retry-after']);
      return { kind: 'busy', error };
    } catch (cause) {
      if (cause instanceof ChainSourceError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      return { kind: 'busy', error: this.failure(`${path}: ${reason}`, { cause }) };
    }
  }

  #noteDate(header: string | string[] | undefined): void {
    const dateMs = typeof header === 'string' ? Date.parse(header) : Number.NaN;
    this.#lastDateMs = Number.isNaN(dateMs) ? null : dateMs;
  }

  /** RFC 9110: seconds, or a date. */
  #noteRetryAfter(header: string | string[] | undefined): void {
    if (typeof header !== 'string') return;
    const nowMs = this.#clock.nowMs();
    const untilMs = /^\d{1,9}$/.test(header) ? nowMs + Number(header) * 1000 : Date.parse(header);
    if (untilMs > this.#notBeforeMs) this.#notBeforeMs = untilMs;
  }

  #json(path: string, body: Buffer): unknown {
    try {
      return JSON.parse(body.toString('utf8')) as unknown;
    } catch (cause) {
      throw this.failure(`${path} is not JSON`, { cause });
    }
  }

  #parse<T>(path: string, schema: z.ZodType<T>, value: unknown): T {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw this.failure(`${path} has an unexpected shape`);
  }

  async #takeSlot(): Promise<void> {
    if (this.#slots.free > 0) this.#slots.free -= 1;
    else await new Promise<void>((resolve) => this.#slots.waiting.push(resolve));
  }

  #freeSlot(): void {
    const next = this.#slots.waiting.shift();
    if (next) next();
    else this.#slots.free += 1;
  }
}
