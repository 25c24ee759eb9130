import type { DonationLinkInfo } from '@paywatch/domain/contract';

const TIMEOUT_MS = 10_000;

/** Reads a donation link. Never rejects. */
export async function fetchDonationLink(
  token: string,
): Promise<DonationLinkInfo | 'unknown' | 'unreachable'> {
  try {
    const response = await fetch(`/v1/public/donate/${encodeURIComponent(token)}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return 'unknown';
    // The shape is the contract's.
    return response.ok ? ((await response.json()) as DonationLinkInfo) : 'unreachable';
  } catch {
    // No network or no answer in time: the caller asks again.
    return 'unreachable';
  }
}
