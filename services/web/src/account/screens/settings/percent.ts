import { SETTING_LIMITS } from '@paywatch/domain/limits';

/** Writes basis points as percent: 150 is `1.5`; null is empty. */
export function percentText(bps: number | null): string {
  return bps === null ? '' : String(bps / 100);
}

/** Reads a percentage with at most two decimals, point or comma, as basis points: null if empty, undefined if malformed. */
export function basisPoints(typed: string): number | null | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return null;
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) return undefined;
  const bps = Math.round(Number(text) * 100);
  return bps > SETTING_LIMITS.priceMarginBps.max ? undefined : bps;
}
