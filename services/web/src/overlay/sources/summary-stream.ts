import type { OverlaySettings, OverlaySummary } from '@paywatch/domain/contract';
import { keepOpen } from './keep-open.ts';

type SummaryHandlers = {
  onSettings: (settings: OverlaySettings) => void;
  onSummary: (summary: OverlaySummary) => void;
};

/**
 * Follows the sums of donations without end. The first message has them all, so a lost connection needs nothing that the page remembers;
 * EventSource resumes by itself with the version that it has.
 */
export function followSummary(token: string, { onSettings, onSummary }: SummaryHandlers): void {
  const path = `/v1/public/overlay/${encodeURIComponent(token)}/events?include=summary`;
  keepOpen(
    () => path,
    (source) => {
      // The API's tests check both messages against their schemas.
      source.addEventListener('settings', ({ data }: MessageEvent<string>) => onSettings(JSON.parse(data)));
      source.addEventListener('summary', ({ data }: MessageEvent<string>) => onSummary(JSON.parse(data)));
    },
  );
}
