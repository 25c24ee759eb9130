import type { OverlaySettings, OverlaySummary } from '@paywatch/domain/contract';

const FIRST_RETRY_MS = 3_000;
const LAST_RETRY_MS = 60_000;

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
  let retryMs = FIRST_RETRY_MS;
  const open = () => {
    const source = new EventSource(path);
    source.addEventListener('open', () => (retryMs = FIRST_RETRY_MS));
    // The API's tests check both messages against their schemas.
    source.addEventListener('settings', ({ data }: MessageEvent<string>) => onSettings(JSON.parse(data)));
    source.addEventListener('summary', ({ data }: MessageEvent<string>) => onSummary(JSON.parse(data)));
    source.addEventListener('error', () => {
      // EventSource reconnects by itself, except after an error response such as 429 or a balancer's 503.
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, retryMs * (1 + Math.random() / 5));
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    });
  };
  open();
}
