import type { PageProblem } from '@paywatch/domain/contract';
import type { DonateTexts } from '../texts/donate-en.ts';
import type { DraftErrors, DraftField } from './donation-draft.ts';

/** Why a donation was not created: the API's problem response, or null without a response. */
export type DonationFailure = Pick<PageProblem, 'code' | 'retryAfterSeconds' | 'errors'> | null;

const DEFAULT_WAIT_SECONDS = 60;

/** The message for a donor: what went wrong and what to do. Pure. */
export function failureMessage(failure: DonationFailure, { problems }: DonateTexts): string {
  if (failure === null) return problems.unreachable;
  const { code, retryAfterSeconds } = failure;
  if (code === 'rate_limited' || code === 'address_pool_busy') {
    return problems[code](retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
  }
  if (code === 'subscription_inactive') return problems.closed;
  if (code === 'wallet_not_verified') return problems.currency;
  if (code === 'rate_unavailable') return problems.noRate;
  if (code === 'not_found') return problems.gone;
  if (code === 'validation_error') return problems.fields;
  if (code === 'forbidden') return problems.elsewhere;
  if (code === 'proof_of_work_required') return problems.proof;
  return problems.unreachable;
}

/** The fields that the API rejected, with messages in the page's language; the API's own are English only. */
export function rejectedFields(failure: DonationFailure, { errors }: DonateTexts): DraftErrors {
  const paths = new Set(failure?.errors.map(({ path }) => path));
  const fields: DraftField[] = ['amount', 'donor_name', 'donor_message'];
  const refused = fields.filter((field) => paths.has(`body.${field}`));
  const isPriceRefused = ['price', 'price.amount', 'price.currency'].some((part) =>
    paths.has(`body.${part}`),
  );
  return {
    ...Object.fromEntries(
      refused.map((field) => [field, field === 'amount' ? errors.malformed : errors.refused]),
    ),
    ...(isPriceRefused ? { amount: errors.malformedPrice } : {}),
  };
}
