import type { CreateDonationInput, NewDonationView, ProblemBody } from '@paywatch/domain/contract';
import { fetchInvoice, type InvoiceAnswer } from '../pay/fetch-public.ts';
import type { DonationFailure } from './donation-problem.ts';

const TIMEOUT_MS = 20_000;
const READS = 5;
const READ_AGAIN_MS = 1000;

/** A donation that was started, or why none was. */
export type DonationStart =
  | { readonly kind: 'started'; readonly payment: Extract<InvoiceAnswer, { kind: 'invoice' }> }
  /** It exists, and only its payment page can show it now. */
  | { readonly kind: 'elsewhere'; readonly publicId: string }
  | { readonly kind: 'failed'; readonly failure: DonationFailure };

/** Starts a donation and reads its invoice. Never rejects. Calling it twice starts two donations. */
export async function startDonation(token: string, request: CreateDonationInput): Promise<DonationStart> {
  const created = await createDonation(token, request);
  if ('failure' in created) return { kind: 'failed', failure: created.failure };
  for (let read = 0; read < READS; read++) {
    const answer = await fetchInvoice(created.public_id);
    if (answer.kind === 'invoice') return { kind: 'started', payment: answer };
    await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
  }
  return { kind: 'elsewhere', publicId: created.public_id };
}

async function createDonation(
  token: string,
  request: CreateDonationInput,
): Promise<NewDonationView | { failure: DonationFailure }> {
  try {
    const response = await fetch(`/v1/public/donate/${encodeURIComponent(token)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Both shapes are the contract's; which one it is, the status tells.
    if (response.ok) return (await response.json()) as NewDonationView;
    return { failure: failureOf((await response.json()) as ProblemBody, response) };
  } catch {
    // No answer, or one that is not the API's: the donor is told that nothing came of it, and may try again.
    return { failure: null };
  }
}

function failureOf({ code, errors = [] }: ProblemBody, response: Response): DonationFailure {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return { code, errors, retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null };
}
