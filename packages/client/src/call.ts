import { definedOf } from './defined-of.ts';
import { errorOfProblem, PaywatchConnectionError, PaywatchError, type Problem } from './paywatch-error.ts';
import { pauseMsAfter, type RetryPolicy } from './retry.ts';
import type { AnswerOf, FieldError, OperationId } from './schemas.ts';
import { anySignal, sleep } from './sleep.ts';

/** What may be said of one call. */
export type CallOptions = {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** How long one try may take; that of the client by default. */
  readonly timeoutMs?: number;
  /** Tries after the first one; that of the client by default. */
  readonly maxRetries?: number;
};

/** The same for a call that takes an Idempotency-Key. */
export type IdempotentCallOptions = CallOptions & {
  /** At most 200 characters. A random one by default, the same for every try of the call. */
  readonly idempotencyKey?: string;
};

/** How a client reaches its API. */
export type Connection = RetryPolicy & {
  readonly baseUrl: string;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
};

/** What a request asks for, as its first line begins: `GET /invoices/{}`. */
export type RequestLine = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

/** One request. */
export type Call = {
  /** With its parameters in place. */
  readonly line: RequestLine;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Carrying it out twice does no more than carrying it out once; so by default where it only reads. */
  readonly repeatable?: boolean | undefined;
};

/** An answer that is a success. */
export type Answer<Body> = { readonly body: Body; readonly headers: Headers };

/**
 * Sends a request, again where that is safe and can help, and reads its answer. Rejects with the PaywatchError of its
 * code, with PaywatchConnectionError where no answer came, or with the reason of the signal.
 */
export async function call<Id extends OperationId>(
  connection: Connection,
  request: Call,
  options: CallOptions = {},
): Promise<Answer<AnswerOf<Id>>> {
  const policy = { ...connection, ...definedOf(options) };
  const { line, repeatable = line.startsWith('GET') } = request;
  for (let retries = 0; ; retries++) {
    try {
      return await tryOnce(policy, request, options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      await sleep(pauseMsAfter(error, repeatable, retries, policy), options.signal);
    }
  }
}

/**
 * Opens a response that is a success. Rejects with the PaywatchError of its code where it is none, and with
 * PaywatchConnectionError where none came.
 */
export async function send(
  { baseUrl, credentials, fetch }: Connection,
  { line, query = {}, headers, body }: Call,
  signal: AbortSignal,
): Promise<Response> {
  const [method, path] = line.split(' ') as [string, string];
  const search = new URLSearchParams(definedOf(query)).toString();
  const json: string | undefined = JSON.stringify(body);
  // Not sent without a body: a browser would ask the server first before it reads from another site.
  const type = json && 'application/json';
  try {
    const response = await fetch(`${baseUrl}${path}${search && `?${search}`}`, {
      method,
      body: json ?? null,
      headers: definedOf({ ...credentials, 'Content-Type': type, ...headers }),
      // Following a redirect would carry the key to whoever it names.
      redirect: 'error',
      signal,
    });
    if (response.ok) return response;
    throw errorOfProblem(problemOf(response, await response.text()));
  } catch (cause) {
    throw cause instanceof PaywatchError ? cause : unanswered(line, cause);
  }
}

async function tryOnce<Id extends OperationId>(
  connection: Connection,
  request: Call,
  signal: AbortSignal | undefined,
): Promise<Answer<AnswerOf<Id>>> {
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const response = await send(connection, request, anySignal(timeout, signal));
  try {
    // Answered by the operation itself, so taken at its word; the merchant need not carry a schema.
    return { body: (await response.json()) as AnswerOf<Id>, headers: response.headers };
  } catch (cause) {
    // A body that breaks off, or is none of ours, is no answer.
    throw unanswered(request.line, cause);
  }
}

function unanswered(line: string, cause: unknown): PaywatchConnectionError {
  // Paths of public calls hold capability tokens, which must not end in a log.
  const place = line.replace(/(donate|overlay)\/[^/]+/, '$1/…');
  return new PaywatchConnectionError(`No answer to ${place}.`, { cause });
}

function problemOf({ status, headers }: Response, text: string): Problem {
  const body = parseProblem(text);
  return {
    status,
    code: asText(body.code) ?? `http_${status}`,
    detail: asText(body.detail) ?? `The server answered ${status}.`,
    requestId: asText(body.request_id) ?? headers.get('X-Request-Id'),
    errors: Array.isArray(body.errors) ? body.errors : [],
    retryAfterSeconds: secondsOf(headers.get('Retry-After')),
  };
}

type ProblemBody = { code?: unknown; detail?: unknown; request_id?: unknown; errors?: FieldError[] };

function parseProblem(text: string): ProblemBody {
  try {
    // Of null and the like an object without fields.
    return Object(JSON.parse(text));
  } catch {
    // A proxy answers in HTML: its status says enough.
    return {};
  }
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Seconds, or a date (RFC 9110). */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  const given = Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds;
  return Number.isNaN(given) ? null : Math.max(0, given);
}
