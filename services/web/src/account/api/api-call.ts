import type {
  ErrorCode,
  FieldError,
  PasskeyRequestOptions,
  ProblemBody,
  PROJECT_HEADER,
} from '@paywatch/domain/contract';

/** Why a call failed: the API's problem response, or `unreachable` without a response. */
export type ApiProblem = {
  readonly code: ErrorCode | 'unreachable';
  /** The API's message, in English; empty without a response. */
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
  /** Of a login that waits for its second factor. */
  readonly challenge: string | null;
  /** Options to solve the challenge with a passkey; null if the account has none. */
  readonly passkey: PasskeyRequestOptions | null;
};

/** The result of a call. */
export type ApiResult<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: ApiProblem };

/** One request. A file is sent as it is, any other `body` as JSON; empty query parameters are left out. */
export type ApiRequest = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent in place of a body. */
  readonly file?: Blob;
  /** The id of the project that the request acts on; null for the first one of the account. */
  readonly project?: string | null;
};

const TIMEOUT_MS = 20_000;

/** Calls the API. Never rejects. The caller names the type of the response. */
export async function callApi<Value>(request: ApiRequest): Promise<ApiResult<Value>> {
  return send(request, async (response) => (await response.json()) as Value);
}

/** Downloads a file from the API. Never rejects. */
export async function callFile(request: ApiRequest): Promise<ApiResult<Blob>> {
  return send(request, (response) => response.blob());
}

async function send<Value>(
  request: ApiRequest,
  read: (response: Response) => Promise<Value>,
): Promise<ApiResult<Value>> {
  try {
    const response = await fetch(urlOf(request), {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...bodyOf(request),
    });
    // Not validated here: the API's tests check every response against its schema.
    if (response.ok) return { ok: true, value: await read(response) };
    return { ok: false, problem: problemOf((await response.json()) as ProblemBody, response) };
  } catch {
    // No network, a timeout, or a body that is not the API's. The request may still have been carried out.
    return { ok: false, problem: UNREACHABLE };
  }
}

function bodyOf({ body, file }: ApiRequest): { body?: Blob | string } {
  if (file !== undefined) return { body: file };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

const UNREACHABLE: ApiProblem = {
  code: 'unreachable',
  detail: '',
  errors: [],
  retryAfterSeconds: null,
  requestId: null,
  challenge: null,
  passkey: null,
};

function urlOf({ path, query = {} }: ApiRequest): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled).toString()}`;
}

/** Its name; importing the value would add the whole contract to the page. */
const PROJECT: typeof PROJECT_HEADER = 'Paywatch-Project';

/** The API accepts the cookie of the session together with the first header only, which other sites cannot send. */
function headersOf({ body, file, project = null }: ApiRequest): Record<string, string> {
  return {
    'X-Paywatch-Page': 'account',
    ...(project === null ? {} : { [PROJECT]: project }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(file === undefined ? {} : { 'Content-Type': 'application/octet-stream' }),
  };
}

function problemOf(body: ProblemBody, response: Response): ApiProblem {
  const { code, detail, errors = [], request_id: requestId, second_factor: factor } = body;
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return {
    code,
    detail,
    errors,
    requestId,
    challenge: factor?.challenge ?? null,
    passkey: factor?.passkey ?? null,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}
