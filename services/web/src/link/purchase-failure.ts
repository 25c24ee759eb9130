import type { PageProblem } from '@paywatch/domain/contract';
import type { LinkTexts } from './link-en.ts';

/** Why a purchase was not started: the API's problem response, or null without a response. */
export type PurchaseFailure = Pick<PageProblem, 'code' | 'retryAfterSeconds' | 'errors'> | null;

const DEFAULT_WAIT_SECONDS = 60;

/** The message for a buyer: what went wrong and what to do. Pure. */
export function failureMessage(failure: PurchaseFailure, { problems }: LinkTexts): string {
  if (failure === null) return problems.unreachable;
  const { code, retryAfterSeconds } = failure;
  if (code === 'rate_limited' || code === 'address_pool_busy') {
    return problems[code](retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
  }
  return MESSAGES[code]?.(problems) ?? problems.unreachable;
}

const MESSAGES: Partial<Record<string, (problems: LinkTexts['problems']) => string>> = {
  rate_unavailable: (problems) => problems.rate_unavailable,
  sold_out: (problems) => problems.sold_out,
  subscription_inactive: (problems) => problems.closed,
  payment_link_closed: (problems) => problems.gone,
  wallet_not_verified: (problems) => problems.currency,
  not_found: (problems) => problems.gone,
  validation_error: (problems) => problems.fields,
  forbidden: (problems) => problems.elsewhere,
  proof_of_work_required: (problems) => problems.proof,
};

/** The message at the amount, where the API rejected that; its own messages are English only. Pure. */
export function refusedAmount(failure: PurchaseFailure, { errors }: LinkTexts): string | null {
  const isRefused = failure?.errors.some(({ path }) => /^body\.(price_)?amount$/.test(path)) === true;
  return isRefused ? errors.refused : null;
}
