import type {
  BuyByPaymentLinkInput,
  NewPurchaseByLinkView,
  ProblemBody,
  ProofOfWork,
  PublicPaymentLink,
} from '@paywatch/domain/contract';
import type { PurchaseFailure } from './purchase-failure.ts';

const TIMEOUT_MS = 20_000;
/** The challenge may expire while it is solved, or the API may start to ask for a proof only then. */
const MAX_ATTEMPTS = 3;

/** The invoice of a purchase, or why there is none. */
export type PurchaseStart = { readonly publicId: string } | { readonly failure: PurchaseFailure };

/** The link as last fetched, and a listener for the progress of the proof of work, 0 to 1. */
type PurchaseContext = {
  link: PublicPaymentLink;
  onProgress: (share: number) => void;
  /** Makes every repeat the same purchase. */
  idempotencyKey?: string;
};

/** Starts a purchase, with a proof of work where the link asks for one. Never rejects, unless the solver cannot be loaded. */
export async function startPurchase(
  token: string,
  request: BuyByPaymentLinkInput,
  { link, onProgress, idempotencyKey }: PurchaseContext,
): Promise<PurchaseStart> {
  let required = requiredProof(link, request);
  for (let attempt = 1; ; attempt += 1) {
    const proof = required === null ? {} : { proof_of_work: await solve(required, onProgress) };
    const started = await buy(token, { ...request, ...proof }, idempotencyKey);
    const isRefused = 'failure' in started && started.failure?.code === 'proof_of_work_required';
    if (!isRefused || attempt === MAX_ATTEMPTS) return started;
    const now = await fetchLink(token);
    required = now === null ? null : requiredProof(now, request);
  }
}

function requiredProof({ proof_of_work: proof }: PublicPaymentLink, { currency }: BuyByPaymentLinkInput) {
  return proof?.currencies.includes(currency) ? proof : null;
}

/** Loads the solver on demand, since most purchases need no proof of work. */
async function solve(proof: ProofOfWork, onProgress: (share: number) => void): Promise<string> {
  const { solveProof } = await import('../donate/start/solve-proof.ts');
  onProgress(0);
  return solveProof(proof, onProgress);
}

async function fetchLink(token: string): Promise<PublicPaymentLink | null> {
  const response = await fetchPublic(token, { cache: 'no-store' });
  return response?.ok ? ((await response.json()) as PublicPaymentLink) : null;
}

async function buy(
  token: string,
  request: BuyByPaymentLinkInput,
  key: string | undefined,
): Promise<PurchaseStart> {
  const response = await fetchPublic(token, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: JSON.stringify(request),
  });
  if (response === null) return { failure: null };
  try {
    // The API's tests check both bodies against their schemas.
    if (response.ok) return { publicId: ((await response.json()) as NewPurchaseByLinkView).public_id };
    return { failure: failureOf((await response.json()) as ProblemBody, response) };
  } catch {
    // The response is not the API's. A purchase that was started anyway expires unpaid, so the buyer may try again.
    return { failure: null };
  }
}

/** Null without a response. */
async function fetchPublic(token: string, init: RequestInit): Promise<Response | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(`/v1/public/links/${encodeURIComponent(token)}`, { ...init, signal });
  } catch {
    return null;
  }
}

function failureOf({ code, errors = [] }: ProblemBody, response: Response): PurchaseFailure {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return { code, errors, retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null };
}
