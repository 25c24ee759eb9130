import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 1000;
/** The Date header has a resolution of one second, so smaller differences are noise. */
const TOLERANCE_MS = 2000;

/**
 * The server's clock, since the device's may be wrong by hours. It starts at the time the server rendered, so that
 * hydration matches, and ticks while `isTicking`.
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

/** The offset from the device's clock to the server's, estimated from the time the page was rendered. */
export function offsetOfPage(renderedAtMs: number): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const arrivedMs = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
  return renderedAtMs - (performance.timeOrigin + arrivedMs);
}
