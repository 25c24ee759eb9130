import type { RawAnswer } from './raw-client.ts';

/** What is wrong with a response; null if nothing is. */
export function faultOfAnswer({ status, contentType, body }: RawAnswer): string | null {
  if (status === 0) return 'no answer';
  if (status < 400) return null;
  if (!contentType.startsWith('application/problem+json'))
    return `${status} is ${contentType || 'of no type'}`;
  if (body === '') return null; // An answer to HEAD.
  const problem = parse(body);
  if (problem === null || problem['status'] !== status) return `${status} is no problem`;
  const unknown = Object.keys(problem).find((name) => !PROBLEM_FIELDS.has(name));
  if (unknown !== undefined) return `a problem has the field ${unknown}`;
  if (status >= 500 && !EXPECTED_503.has(String(problem['code'])))
    return `${status} ${String(problem['code'])}`;
  const internal = INTERNAL.exec(JSON.stringify({ ...problem, request_id: '' }))?.[0];
  return internal === undefined ? null : `a problem says ${internal}`;
}

const PROBLEM_FIELDS = new Set(['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors']);
/** What is missing in a world without nodes, by no fault of the request. */
const EXPECTED_503 = new Set(['address_pool_busy', 'fee_unavailable', 'rate_unavailable']);
/** Stack frames, files, libraries and servers of ours. */
const INTERNAL =
  /node_modules|\bat (?:async )?[\w.<>]+ \(|\.(?:ts|m?js):\d+|\bE(?:CONN|PIPE|NOTFOUND|AI_)\w*|postgres|redis|drizzle|zod|express|bullmq|\b(?:Type|Range|Syntax|Reference)Error|cannot read|relation "|syntax error at/i;

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
