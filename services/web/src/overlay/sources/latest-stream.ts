import type { OverlayDonation, OverlaySettings } from '@paywatch/domain/contract';
import { minimumOf } from '../settings.ts';
import { keepOpen } from './keep-open.ts';

type LatestHandlers = {
  onSettings: (settings: OverlaySettings) => void;
  /** Called for the newest donations first of all, in the order in which they came, then for each new one. */
  onDonation: (donation: OverlayDonation) => void;
};

/**
 * Follows the latest donations without end. Without a position the stream begins with those that the list shows, so nothing is stored here;
 * after that each connection resumes where the last one ended.
 */
export function followLatest(
  token: string,
  query: URLSearchParams,
  { onSettings, onDonation }: LatestHandlers,
): void {
  let position: string | null = null;
  keepOpen(
    () => latestPath(token, query, position),
    (source) => {
      source.addEventListener('settings', ({ data }: MessageEvent<string>) => onSettings(JSON.parse(data)));
      source.addEventListener('donation', ({ data, lastEventId }: MessageEvent<string>) => {
        position = lastEventId;
        onDonation(JSON.parse(data));
      });
    },
  );
}

/** The minimum in the address of the page takes precedence over that of the settings. */
function latestPath(token: string, query: URLSearchParams, position: string | null): string {
  const wanted = new URLSearchParams({ include: 'latest' });
  for (const currency of ['BTC', 'LTC'] as const) {
    const minimum = minimumOf(query.get('minAmount'), currency);
    if (minimum !== undefined) wanted.set(`min_amount_${currency.toLowerCase()}`, String(minimum));
  }
  if (position !== null) wanted.set('last_event_id', position);
  return `/v1/public/overlay/${encodeURIComponent(token)}/events?${wanted.toString()}`;
}
