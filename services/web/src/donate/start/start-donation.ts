import type {
  CreateDonationInput,
  DonationLinkInfo,
  NewDonationView,
  ProblemBody,
  ProofOfWork,
} from '@paywatch/domain/contract';
import { fetchInvoice, type InvoiceAnswer } from '../../pay/fetch-public.ts';
import type { DonationFailure } from '../form/donation-failure.ts';
import { fetchDonationLink } from './fetch-donation-link.ts';

const TIMEOUT_MS = 20_000;
const MAX_READS = 5;
const READ_INTERVAL_MS = 1000;
/** The challenge may expire while it is solved, or the API may start to ask for a proof only then. */
const MAX_ATTEMPTS = 3;

/** The result of starting a donation. */
export type DonationStart =
  | { readonly kind: 'started'; readonly payment: Extract<InvoiceAnswer, { kind: 'invoice' }> }
  /** The donation was created, but its invoice could not be fetched; the payment page can show it. */
  | { readonly kind: 'unread'; readonly publicId: string }
  | { readonly kind: 'failed'; readonly failure: DonationFailure };

/** The donation link as last fetched, and a listener for the progress of the proof of work, 0 to 1. */
type DonationContext = { link: DonationLinkInfo; onProgress: (share: number) => void };

/**
 * Creates a donation, with a proof of work where the link asks for one, and fetches its invoice. Never rejects, unless
 * the solver's script cannot be loaded. Calling it twice creates two donations.
 */
export async function startDonation(
  token: string,
  request: CreateDonationInput,
  context: DonationContext,
): Promise<DonationStart> {
  const created = await createWithProof(token, request, context);
  if ('failure' in created) return { kind: 'failed', failure: created.failure };
  for (let read = 0; read < MAX_READS; read++) {
    const answer = await fetchInvoice(created.public_id);
    if (answer.kind === 'invoice') return { kind: 'started', payment: answer };
    await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL_MS));
  }
  return { kind: 'unread', publicId: created.public_id };
}

async function createWithProof(
  token: string,
  request: CreateDonationInput,
  { link, onProgress }: DonationContext,
): Promise<NewDonationView | { failure: DonationFailure }> {
  let required = requiredProof(link, request);
  for (let attempt = 1; ; attempt += 1) {
    const proof = required === null ? {} : { proof_of_work: await solve(required, onProgress) };
    const created = await createDonation(token, { ...request, ...proof });
    const isRefused = 'failure' in created && created.failure?.code === 'proof_of_work_required';
    if (!isRefused || attempt === MAX_ATTEMPTS) return created;
    const now = await fetchDonationLink(token);
    required = typeof now === 'string' ? null : requiredProof(now, request);
  }
}

function requiredProof({ proof_of_work: proof }: DonationLinkInfo, { currency }: CreateDonationInput) {
  return proof?.currencies.includes(currency) ? proof : null;
}

/** Loads the solver on demand, since most donations need no proof of work. */
async function solve(proof: ProofOfWork, onProgress: (share: number) => void): Promise<string> {
  const { solveProof } = await import('./solve-proof.ts');
  onProgress(0);
  return solveProof(proof, onProgress);
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
    // The API's tests check both bodies against their schemas.
    if (response.ok) return (await response.json()) as NewDonationView;
    return { failure: failureOf((await response.json()) as ProblemBody, response) };
  } catch {
    // No response, or not the API's. A donation that was created anyway expires unpaid, so the donor may try again.
    return { failure: null };
  }
}

function failureOf({ code, errors = [] }: ProblemBody, response: Response): DonationFailure {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return { code, errors, retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null };
}
