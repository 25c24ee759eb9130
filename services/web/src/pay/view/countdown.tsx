import type { PayTexts } from '../texts/pay-en.ts';

const RADIUS = 9;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

type CountdownProps = { createdAt: string; expiresAt: string; nowMs: number; texts: PayTexts };

/** The remaining time as digits and as a ring. `role="timer"` keeps screen readers from announcing every second. */
export function Countdown({ createdAt, expiresAt, nowMs, texts }: CountdownProps) {
  const endMs = Date.parse(expiresAt);
  const leftMs = Math.max(0, endMs - nowMs);
  const share = Math.min(1, leftMs / Math.max(1, endMs - Date.parse(createdAt)));
  return (
    <span class="countdown" role="timer" aria-label={texts.timeLeft} data-testid="countdown">
      <svg class="ring" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r={RADIUS} class="ring__track" />
        <circle
          cx="12"
          cy="12"
          r={RADIUS}
          class="ring__left"
          transform="rotate(-90 12 12)"
          stroke-dasharray={`${(share * CIRCUMFERENCE).toFixed(2)} ${CIRCUMFERENCE.toFixed(2)}`}
        />
      </svg>
      {durationText(leftMs)}
    </span>
  );
}

/** Formats a duration as `14:32`, or `1:14:32` from one hour. Rounds up, so zero means that no time is left. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
