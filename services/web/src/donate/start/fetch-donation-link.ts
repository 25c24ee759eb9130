import type { DonationLinkInfo } from '@paywatch/domain/contract';

const TIMEOUT_MS = 10_000;

/** Fetches a donation link. Never rejects. */
export async function fetchDonationLink(
  token: string,
): Promise<DonationLinkInfo | 'unknown' | 'unreachable'> {
  try {
    const response = await fetch(`/v1/public/donate/${encodeURIComponent(token)}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return 'unknown';
    // The API's tests check its responses against the schema.
    return response.ok ? ((await response.json()) as DonationLinkInfo) : 'unreachable';
  } catch {
    // No network, or a timeout: the caller retries.
    return 'unreachable';
  }
}
