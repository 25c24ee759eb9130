import { definedOf } from './defined-of.ts';
import { errorOfProblem, PaywatchConnectionError, PaywatchError, type Problem } from './paywatch-error.ts';
import { retryDelayAfter, type RetryPolicy } from './retry.ts';
import type { AnswerOf, FieldError, OperationId } from './schemas.ts';
import { anySignal, sleep } from './sleep.ts';

/** Options of one call. */
export type CallOptions = {
  /** Aborts the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Timeout of one attempt; that of the client by default. */
  readonly timeoutMs?: number;
  /** Retries after the first attempt; that of the client by default. */
  readonly maxRetries?: number;
};

/** Options of a call that sends an Idempotency-Key. */
export type IdempotentCallOptions = CallOptions & {
  /** At most 200 characters. By default a random key per call, reused for its retries. */
  readonly idempotencyKey?: string;
};

/** How the client reaches the API. */
export type Connection = RetryPolicy & {
  readonly baseUrl: string;
  readonly credentials?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
};

/** Method and path of a request, such as `GET /invoices/{}`. */
export type RequestLine = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

/** One request. */
export type Call = {
  /** With its path parameter filled in. */
  readonly line: RequestLine;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Idempotent, so safe to retry. True by default for GET. */
  readonly idempotent?: boolean | undefined;
};

/** A successful response. */
export type Answer<Body> = { readonly body: Body; readonly headers: Headers };

/**
 * Sends a request, retries it where that is safe, and parses the response. Rejects with the PaywatchError of the error
 * code, with PaywatchConnectionError without a response, or with the reason of the signal.
 */
export async function call<Id extends OperationId>(
  connection: Connection,
  request: Call,
  options: CallOptions = {},
): Promise<Answer<AnswerOf<Id>>> {
  const policy = { ...connection, ...definedOf(options) };
  const { line, idempotent = line.startsWith('GET') } = request;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(policy, request, options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      await sleep(retryDelayAfter(error, idempotent, retries, policy), options.signal);
    }
  }
}

/**
 * Sends a request once and returns the successful response with an unread body. Rejects with the PaywatchError of the
 * error code, and with PaywatchConnectionError without a response.
 */
export async function send(
  { baseUrl, credentials, fetch }: Connection,
  { line, query = {}, headers, body }: Call,
  signal: AbortSignal,
): Promise<Response> {
  const [method, path] = line.split(' ') as [string, string];
  const search = new URLSearchParams(definedOf(query)).toString();
  const json: string | undefined = JSON.stringify(body);
  // Without a body no Content-Type: it would cause a CORS preflight in browsers.
  const type = json && 'application/json';
  try {
    const response = await fetch(`${baseUrl}${path}${search && `?${search}`}`, {
      method,
      body: json ?? null,
      headers: definedOf({ ...credentials, 'Content-Type': type, ...headers }),
      // Following a redirect would send the API key to another host.
      redirect: 'error',
      signal,
    });
    if (response.ok) return response;
    throw errorOfProblem(problemOf(response, await response.text()));
  } catch (cause) {
    throw cause instanceof PaywatchError ? cause : connectionError(line, cause);
  }
}

async function attempt<Id extends OperationId>(
  connection: Connection,
  request: Call,
  signal: AbortSignal | undefined,
): Promise<Answer<AnswerOf<Id>>> {
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const response = await send(connection, request, anySignal(timeout, signal));
  try {
    // Not validated: a schema library would multiply the size of the package.
    return { body: (await response.json()) as AnswerOf<Id>, headers: response.headers };
  } catch (cause) {
    // The body was cut off or is not JSON.
    throw connectionError(request.line, cause);
  }
}

function connectionError(line: string, cause: unknown): PaywatchConnectionError {
  // Public paths contain secret tokens, which must not end up in a log.
  const redacted = line.replace(/(donate|overlay)\/[^/]+/, '$1/…');
  return new PaywatchConnectionError(`No response to ${redacted}.`, { cause });
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
    challenge: asText(body.second_factor?.challenge) ?? null,
  };
}

type ProblemBody = {
  code?: unknown;
  detail?: unknown;
  request_id?: unknown;
  errors?: FieldError[];
  second_factor?: { challenge?: unknown };
};

function parseProblem(text: string): ProblemBody {
  try {
    // Object() turns null and other primitives into objects without fields.
    return Object(JSON.parse(text));
  } catch {
    // Not JSON, such as a proxy's HTML error page: the status is enough.
    return {};
  }
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Parses Retry-After: seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  const given = Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds;
  return Number.isNaN(given) ? null : Math.max(0, given);
}
