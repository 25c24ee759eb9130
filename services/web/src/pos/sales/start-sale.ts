import type { BuyByPaymentLinkInput, PublicPaymentLink } from '@paywatch/domain/contract';
import type { PurchaseFailure } from '../../link/purchase-failure.ts';
import { startPurchase } from '../../link/start-purchase.ts';
import { fetchInvoice, type InvoiceAnswer } from '../../pay/fetch-public.ts';

const RETRY_MS = 3000;

/** A sale to start; the key makes every repeat the same sale. */
export type SaleRequest = { readonly request: BuyByPaymentLinkInput; readonly idempotencyKey: string };

type Started = Extract<InvoiceAnswer, { kind: 'invoice' }>;
type Listener = {
  readonly link: PublicPaymentLink;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  readonly onOffline: (isOffline: boolean) => void;
};

/**
 * Starts a sale, and repeats every step until the network is back. Returns the invoice, why there is none, or null once `signal` is
 * aborted. Never rejects.
 */
export async function startSale(
  token: string,
  { request, idempotencyKey }: SaleRequest,
  listener: Listener,
): Promise<Started | { readonly failure: PurchaseFailure } | null> {
  const { link, onProgress } = listener;
  const purchase = await untilOnline(listener, async () => {
    const started = await startPurchase(token, request, { link, onProgress, idempotencyKey });
    return 'failure' in started && started.failure === null ? null : started;
  });
  if (purchase === null || 'failure' in purchase) return purchase;
  return untilOnline(listener, async () => {
    const answer = await fetchInvoice(purchase.publicId);
    return answer.kind === 'invoice' ? answer : null;
  });
}

/** Repeats a step that returns null, or rejects because a script could not be loaded, until it succeeds. */
async function untilOnline<T>(
  { signal, onOffline }: Listener,
  step: () => Promise<T | null>,
): Promise<T | null> {
  while (!signal.aborted) {
    const result = await step().catch(() => null);
    if (signal.aborted) break;
    onOffline(result === null);
    if (result !== null) return result;
    await pauseUntilOnline(signal);
  }
  return null;
}

/** A short pause, which ends at once when the device is online again. */
function pauseUntilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, RETRY_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    addEventListener('online', end, { signal: ended.signal });
    signal.addEventListener('abort', end, { signal: ended.signal });
  });
}
