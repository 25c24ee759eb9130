import type { Currency, FeeView, PublicInvoiceView } from '@paywatch/domain/contract';

const TIMEOUT_MS = 10_000;

/** An answer of the API, and the server's clock when it left; null where the server sent no Date. */
export type InvoiceAnswer =
  | { readonly kind: 'invoice'; readonly invoice: PublicInvoiceView; readonly serverNowMs: number | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' };

/** Reads an invoice as its payer. Never rejects: what went wrong is told. */
export async function fetchInvoice(publicId: string): Promise<InvoiceAnswer> {
  try {
    const response = await get(`/v1/public/invoices/${encodeURIComponent(publicId)}`);
    if (response.status === 404) return { kind: 'unknown' };
    if (!response.ok) return { kind: 'unreachable' };
    const date = Date.parse(response.headers.get('Date') ?? '');
    return {
      kind: 'invoice',
      invoice: parseInvoice(await response.text()),
      serverNowMs: Number.isNaN(date) ? null : date,
    };
  } catch {
    // No network, no answer in time, or an answer that is none: all mean that nothing is known, and the caller retries.
    return { kind: 'unreachable' };
  }
}

/** A fee estimate, or null where there is none: it is a hint, and the page is whole without it. */
export async function fetchFee(currency: Currency): Promise<FeeView | null> {
  try {
    const response = await get(`/v1/public/fee/${currency}`);
    // The API answers what its contract says; only this page reads it, and shows it as text.
    return response.ok ? ((await response.json()) as FeeView) : null;
  } catch {
    return null;
  }
}

/** Parses an invoice as the stream and the API write it. Throws where it is none. */
export function parseInvoice(json: string): PublicInvoiceView {
  const value: unknown = JSON.parse(json);
  if (!isInvoice(value)) throw new TypeError('this is no invoice');
  return value;
}

/** Enough to tell an invoice from a captive portal's answer; that it follows the contract is the server's promise. */
function isInvoice(value: unknown): value is PublicInvoiceView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'public_id' in value &&
    'status' in value &&
    'payments' in value &&
    'version' in value &&
    typeof value.version === 'number'
  );
}

function get(path: string): Promise<Response> {
  return fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
}
