import type {
  CreateDonationInput,
  DonationLinkInfo,
  NewDonationView,
  ProblemBody,
  ProofOfWork,
} from '@paywatch/domain/contract';
import { fetchInvoice, type InvoiceAnswer } from '../pay/fetch-public.ts';
import type { DonationFailure } from './donation-failure.ts';
import { fetchDonationLink } from './fetch-donation-link.ts';

const TIMEOUT_MS = 20_000;
const READS = 5;
const READ_AGAIN_MS = 1000;
/** A challenge may expire while it is solved, or the last address but half be taken meanwhile. */
const PROOFS = 3;

/** A donation that was started, or why none was. */
export type DonationStart =
  | { readonly kind: 'started'; readonly payment: Extract<InvoiceAnswer, { kind: 'invoice' }> }
  /** It exists, and only its payment page can show it now. */
  | { readonly kind: 'elsewhere'; readonly publicId: string }
  | { readonly kind: 'failed'; readonly failure: DonationFailure };

/** The page's link, as it was read, and who wants to see how far a proof of work is: from 0 to 1. */
type Surroundings = { link: DonationLinkInfo; onProgress: (share: number) => void };

/**
 * Starts a donation, with a proof of work where the link asks for one, and reads its invoice. Never rejects. Calling it twice
 * starts two donations.
 */
export async function startDonation(
  token: string,
  request: CreateDonationInput,
  surroundings: Surroundings,
): Promise<DonationStart> {
  const created = await createWithProof(token, request, surroundings);
  if ('failure' in created) return { kind: 'failed', failure: created.failure };
  for (let read = 0; read < READS; read++) {
    const answer = await fetchInvoice(created.public_id);
    if (answer.kind === 'invoice') return { kind: 'started', payment: answer };
    await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
  }
  return { kind: 'elsewhere', publicId: created.public_id };
}

async function createWithProof(
  token: string,
  request: CreateDonationInput,
  { link, onProgress }: Surroundings,
): Promise<NewDonationView | { failure: DonationFailure }> {
  let asked = proofAskedOf(link, request);
  for (let proofs = 1; ; proofs += 1) {
    const proof = asked === null ? {} : { proof_of_work: await solve(asked, onProgress) };
    const created = await createDonation(token, { ...request, ...proof });
    const isRefused = 'failure' in created && created.failure?.code === 'proof_of_work_required';
    if (!isRefused || proofs === PROOFS) return created;
    const now = await fetchDonationLink(token);
    asked = typeof now === 'string' ? null : proofAskedOf(now, request);
  }
}

function proofAskedOf({ proof_of_work: proof }: DonationLinkInfo, { currency }: CreateDonationInput) {
  return proof?.currencies.includes(currency) ? proof : null;
}

/** The solver is fetched by whom it is asked of alone. */
async function solve(asked: ProofOfWork, onProgress: (share: number) => void): Promise<string> {
  const { solveProof } = await import('./solve-proof.ts');
  onProgress(0);
  return solveProof(asked, onProgress);
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
