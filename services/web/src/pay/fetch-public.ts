import type { Currency, FeeView, PublicInvoiceView } from '@paywatch/domain/contract';

const TIMEOUT_MS = 10_000;

/** The result of fetching an invoice. `serverNowMs` is the Date header; null where the server sent none. */
export type InvoiceAnswer =
  | { readonly kind: 'invoice'; readonly invoice: PublicInvoiceView; readonly serverNowMs: number | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' };

/** Fetches the public view of an invoice. Never rejects. */
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
    // No network, a timeout, or a body that is not an invoice: the caller retries.
    return { kind: 'unreachable' };
  }
}

/** Fetches a fee estimate; null if there is none. The page works without it. */
export async function fetchFee(currency: Currency): Promise<FeeView | null> {
  try {
    const response = await get(`/v1/public/fee/${currency}`);
    // The API's tests check its responses against the schema.
    return response.ok ? ((await response.json()) as FeeView) : null;
  } catch {
    return null;
  }
}

/** Parses an invoice from the API or the stream. Throws TypeError if it is not an invoice. */
export function parseInvoice(json: string): PublicInvoiceView {
  const value: unknown = JSON.parse(json);
  if (!isInvoice(value)) throw new TypeError('the response is not an invoice');
  return value;
}

/** Distinguishes an invoice from the response of a captive portal; the API's tests cover the rest of the schema. */
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
