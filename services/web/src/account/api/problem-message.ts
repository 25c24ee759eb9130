import type { AccountTexts } from '../account-en.ts';
import type { ApiProblem } from './api-call.ts';

const DEFAULT_WAIT_SECONDS = 60;

/** The message for an API problem in the reader's language; the API's own English message for unknown codes. Pure. */
export function problemMessage(problem: ApiProblem, { problems }: AccountTexts): string {
  const { code, detail, retryAfterSeconds } = problem;
  if (code === 'rate_limited' || code === 'address_pool_busy') {
    return problems[code](retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
  }
  if (code === 'address_mismatch') return problems.address_mismatch(detail);
  const words: Partial<Record<string, unknown>> = problems;
  const known = words[code];
  return typeof known === 'string' ? known : detail;
}

/** The error message of a field of the request body, or of an item of its list; undefined if the field is valid. */
export function fieldError(
  problem: ApiProblem | null,
  field: string,
  texts: AccountTexts,
): string | undefined {
  const error = problem?.errors.find(
    ({ path }) => path === `body.${field}` || path.startsWith(`body.${field}.`),
  );
  return error === undefined ? undefined : texts.fieldError(field, error.message);
}
