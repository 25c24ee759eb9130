import { Pool } from 'undici';
import { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import { readBody } from './read-body.ts';

export type RpcCall = { method: string; params: readonly unknown[] };
export type RpcOutcome = { ok: true; result: unknown } | { ok: false; error: ChainSourceError };

const answerSchema = z.object({
  id: z.number().nullish(),
  result: z.unknown(),
  error: z.object({ code: z.number().nullish(), message: z.string().nullish() }).nullish(),
});

/** A node that takes longer for a small response hangs; another one is used instead. */
const TIMEOUT_MS = 15_000;
/** Larger than the hex of any valid block. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * JSON-RPC as Bitcoin Core, Litecoin Core and bcoin implement it: errors may come with any HTTP status, batch responses in any
 * order. Credentials move from the URL into a header and appear nowhere else.
 */
export class RpcClient {
  readonly name: string;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  #nextId = 1;

  constructor(nodeUrl: string) {
    const url = new URL(nodeUrl);
    this.name = url.host;
    this.#path = url.pathname;
    this.#pool = new Pool(url.origin, {
      connections: 8,
      // Each request has its own timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    this.#headers = {
      'content-type': 'application/json',
      ...(url.username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
    };
  }

  /** Makes one call. Rejects with ChainSourceError. */
  call(method: string, ...params: unknown[]): Promise<unknown> {
    return this.callWithin(TIMEOUT_MS, method, ...params);
  }

  /** Makes one call with its own timeout. */
  async callWithin(timeoutMs: number, method: string, ...params: unknown[]): Promise<unknown> {
    const [outcome] = await this.batch([{ method, params }], timeoutMs);
    if (!outcome) throw new ChainSourceError(`${this.name}: no answer to ${method}`);
    if (!outcome.ok) throw outcome.error;
    return outcome.result;
  }

  /** Makes many calls in one request; each has its own outcome. Rejects if the request as a whole fails. */
  async batch(calls: readonly RpcCall[], timeoutMs = TIMEOUT_MS): Promise<RpcOutcome[]> {
    if (calls.length === 0) return [];
    const first = this.#nextId;
    this.#nextId += calls.length;
    const requests = calls.map((call, index) => ({ jsonrpc: '1.0', id: first + index, ...call }));
    const body = await this.#post(requests.length === 1 ? requests[0] : requests, timeoutMs);
    const answers = z.array(answerSchema).safeParse(Array.isArray(body) ? body : [body]);
    if (!answers.success) throw new ChainSourceError(`${this.name}: response is not JSON-RPC`);
    const byId = new Map(answers.data.map((answer) => [answer.id, answer]));
    return requests.map((request) => this.#outcome(request, byId.get(request.id)));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #outcome(request: { method: string }, answer: z.infer<typeof answerSchema> | undefined): RpcOutcome {
    if (!answer) return this.#failure(`no answer to ${request.method}`, null);
    if (!answer.error) return { ok: true, result: answer.result };
    return this.#failure(`${request.method}: ${answer.error.message ?? 'error'}`, answer.error.code ?? null);
  }

  #failure(message: string, code: number | null): RpcOutcome {
    return { ok: false, error: new ChainSourceError(`${this.name}: ${message}`, code) };
  }

  async #post(payload: unknown, timeoutMs: number): Promise<unknown> {
    try {
      const { statusCode, body } = await this.#pool.request({
        path: this.#path,
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(payload),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = (await readBody(body, MAX_ANSWER_BYTES)).toString('utf8');
      if (statusCode === 401 || statusCode === 403) throw new Error('the node rejects the user or password');
      return JSON.parse(text) as unknown;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ChainSourceError(`${this.name}: ${reason}`, null, { cause });
    }
  }
}
