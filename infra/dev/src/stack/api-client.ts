import { z } from 'zod';
import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

/** The credentials of a request: an API key, a session, or none. */
export type Credentials = { apiKey: string } | { session: string } | undefined;

/** A response other than 2xx, with its problem document. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  constructor(request: string, status: number, code: string, detail: string) {
    super(`${request}: ${status} ${code}${detail === '' ? '' : ` (${detail})`}`);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
  }
}

/** Calls one operation of the API and parses the response. Throws {@link ApiProblem} for a status other than 2xx. */
export type ApiClient = <T>(
  operation: { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown; as?: Credentials },
  answer: z.ZodType<T>,
) => Promise<T>;

const problemShape = z.object({
  code: z.string().default(''),
  detail: z.string().default(''),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

/** Creates an API client on plain HTTP, as a merchant's own server might. */
export function createApiClient(baseUrl: string): ApiClient {
  return async ({ method, path, body, as }, answer) => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headersOf(as) },
      signal: AbortSignal.timeout(HANG_TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw problemOf(`${method} ${path}`, response.status, text);
    return answer.parse(text === '' ? {} : JSON.parse(text));
  };
}

function headersOf(credentials: Credentials): Record<string, string> {
  if (credentials === undefined) return {};
  return 'apiKey' in credentials
    ? { 'x-api-key': credentials.apiKey }
    : { authorization: `Bearer ${credentials.session}` };
}

function problemOf(request: string, status: number, text: string): ApiProblem {
  const parsed = problemShape.safeParse(text.startsWith('{') ? JSON.parse(text) : {});
  const { code, detail, errors } = parsed.success ? parsed.data : { code: '', detail: text, errors: [] };
  const fields = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new ApiProblem(request, status, code, [detail, fields].filter(Boolean).join(': '));
}
