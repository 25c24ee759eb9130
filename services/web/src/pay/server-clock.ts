import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 1000;
/** The header Date has whole seconds; smaller differences say nothing. */
const TOLERANCE_MS = 2000;

/**
 * The server's clock on this device, whose own may be wrong by hours. It starts at the moment of the first view, so that
 * both sides render the same, and ticks while `isTicking`.
 */
export function useServerClock(renderedAtMs: number, offsetMs: number, isTicking: boolean) {
  const [nowMs, setNowMs] = useState(renderedAtMs);
  const [offset, setOffset] = useState(offsetMs);
  useEffect(() => {
    setNowMs(Date.now() + offset);
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNowMs(Date.now() + offset), TICK_MS);
    return () => clearInterval(timer);
  }, [offset, isTicking]);
  const correct = (serverNowMs: number) => {
    const seen = serverNowMs - Date.now();
    setOffset((known) => (Math.abs(known - seen) > TOLERANCE_MS ? seen : known));
  };
  return { nowMs, correct };
}

/** How far the server's clock is ahead of this one, from a page that was rendered at `renderedAtMs`. */
export function offsetOfPage(renderedAtMs: number): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const arrivedMs = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
  return renderedAtMs - (performance.timeOrigin + arrivedMs);
}
