import type { Currency, StatsView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import type { AccountTexts } from '../../account-en.ts';
import type { Bar } from '../../parts/bar-chart.tsx';

const FULL_HEIGHT = 1000n;

/** Accepted amounts per day as bars. Uses integer division, so that amounts never become floats. Pure. */
export function amountBars({ activity }: StatsView, currency: Currency): Bar[] {
  const amounts = activity.map(({ accepted }) => BigInt(accepted[currency]));
  const heights = heightsOf(amounts, largest(amounts));
  return activity.map(({ date, accepted }, day) => ({
    date,
    heights: [heights[day] ?? 0],
    label: coinText(accepted[currency], currency),
  }));
}

/** Created and confirmed invoices per day as bars. Pure. */
export function invoiceBars({ activity }: StatsView, { overview }: AccountTexts): Bar[] {
  const created = activity.map((day) => BigInt(day.created));
  const confirmed = activity.map((day) => BigInt(day.confirmed));
  const top = largest([...created, ...confirmed]);
  const [behind, before] = [heightsOf(created, top), heightsOf(confirmed, top)];
  return activity.map((day, index) => ({
    date: day.date,
    heights: [behind[index] ?? 0, before[index] ?? 0],
    label: `${day.created} ${overview.created}, ${day.confirmed} ${overview.confirmed}`,
  }));
}

function heightsOf(values: readonly bigint[], top: bigint): number[] {
  return values.map((value) => Number((value * FULL_HEIGHT) / top));
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 1n);
}

/** The largest accepted amount of a day, at the top of its chart. Pure. */
export function amountScale({ activity }: StatsView, currency: Currency): string {
  return coinText(String(largest(activity.map(({ accepted }) => BigInt(accepted[currency])))), currency);
}

/** The largest number of invoices of a day, at the top of its chart. Pure. */
export function invoiceScale({ activity }: StatsView): string {
  return String(largest(activity.map(({ created, confirmed }) => BigInt(Math.max(created, confirmed)))));
}
