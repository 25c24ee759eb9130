import { ERROR_CLASSES } from './generated/error-classes.ts';
import { PaywatchConnectionError, PaywatchError, type Problem } from './paywatch-error.ts';
import { retryDelayMs, type RetryPolicy } from './retry.ts';
import type { AnswerOf, FieldError, OperationId } from './schemas.ts';
import { sleep } from './sleep.ts';

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
  readonly credentials: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
};

/** One request. `repeatable`: carrying it out twice does no more than carrying it out once. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its parameters in place. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly repeatable: boolean;
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
  for (let retries = 0; ; retries++) {
    try {
      return await tryOnce(policy, request, options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = error instanceof PaywatchError ? error : null;
      if (failure === null && !(error instanceof PaywatchConnectionError)) throw error;
      const delayMs = retryDelayMs(failure, request.repeatable, retries, policy, Math.random());
      if (delayMs === null) throw error;
      await sleep(delayMs, options.signal);
    }
  }
}

/** Opens a response whatever it is; rejects with PaywatchConnectionError where none came. */
export async function send(
  { baseUrl, credentials, fetch }: Connection,
  { method, path, query, headers, body }: Call,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${baseUrl}${path}${queryText(query)}`;
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    return await fetch(url, {
      method,
      headers: { ...credentials, ...json, ...headers },
      // Following a redirect would carry the key to whoever it names.
      redirect: 'error',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw unanswered(method, path, cause);
  }
}

/** Turns an answer that is no success into the error of its code. */
export async function errorOf(response: Response): Promise<PaywatchError> {
  const problem = problemOf(response, await response.text());
  const ErrorClass = ERROR_CLASSES[problem.code as keyof typeof ERROR_CLASSES] ?? PaywatchError;
  return new ErrorClass(problem);
}

async function tryOnce<Id extends OperationId>(
  connection: Connection,
  request: Call,
  signal: AbortSignal | undefined,
): Promise<Answer<AnswerOf<Id>>> {
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const response = await send(connection, request, either);
  try {
    if (!response.ok) throw await errorOf(response);
    // Answered by the operation itself, so taken at its word; the merchant need not carry a schema.
    return { body: (await response.json()) as AnswerOf<Id>, headers: response.headers };
  } catch (cause) {
    // A body that breaks off, or is none of ours, is no answer.
    throw cause instanceof PaywatchError ? cause : unanswered(request.method, request.path, cause);
  }
}

function unanswered(method: string, path: string, cause: unknown): PaywatchConnectionError {
  // Paths of public calls hold capability tokens, which must not end in a log.
  const place = path.replace(/(donate|overlay)\/[^/]+/, '$1/…');
  return new PaywatchConnectionError(`No answer to ${method} ${place}.`, { cause });
}

function problemOf({ status, headers }: Response, text: string): Problem {
  const body = parseProblem(text);
  return {
    status,
    code: typeof body.code === 'string' ? body.code : `http_${status}`,
    detail: typeof body.detail === 'string' ? body.detail : `The server answered ${status}.`,
    requestId: typeof body.request_id === 'string' ? body.request_id : headers.get('X-Request-Id'),
    errors: Array.isArray(body.errors) ? body.errors : [],
    retryAfterSeconds: secondsOf(headers.get('Retry-After')),
  };
}

type ProblemBody = { code?: unknown; detail?: unknown; request_id?: unknown; errors?: FieldError[] };

function parseProblem(text: string): ProblemBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    // A proxy answers in HTML: its status says enough.
    return {};
  }
}

/** Seconds, or a date (RFC 9110). */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  const given = Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds;
  return Number.isNaN(given) ? null : Math.max(0, given);
}

function queryText(query: object = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** An option that is given as undefined must not take the place of the client's. */
function definedOf({ timeoutMs, maxRetries }: CallOptions): Partial<Connection> {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  };
}
