import type { AccountTexts } from '../account-en.ts';
import type { ApiProblem } from './api-call.ts';

const DEFAULT_WAIT_SECONDS = 60;

/** Says what went wrong, in the reader's language where it is known there, else as the API says it. Pure. */
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

/** What is wrong with a field of the body, in the reader's language where that knows the field; undefined where nothing. */
export function fieldError(
  problem: ApiProblem | null,
  field: string,
  texts: AccountTexts,
): string | undefined {
  const error = problem?.errors.find(({ path }) => path === `body.${field}`);
  return error === undefined ? undefined : texts.fieldError(field, error.message);
}
