import { formatFiat, type StatsView } from '@paywatch/domain/contract';
import type { DayStats, FiatTotal, ProjectStats } from '@paywatch/store/stats';

/** Number of UTC days with activity figures, today included. */
export const ACTIVITY_DAYS = 30;

const DAY_MS = 86_400_000;

/** Totals over all days, and one activity entry for each of the last 30 days, days without activity included. Pure. */
export function statsView({ today, days }: ProjectStats, inFiat: readonly FiatTotal[]): StatsView {
  const sum = (name: Exclude<keyof DayStats, 'day' | 'btcAmount' | 'ltcAmount'>): number =>
    days.reduce((total, day) => total + day[name], 0);
  const sumAmounts = (name: 'btcAmount' | 'ltcAmount'): string =>
    String(days.reduce((total, day) => total + day[name], 0n));
  return {
    accepted: {
      BTC: { amount: sumAmounts('btcAmount'), count: sum('btcCount') },
      LTC: { amount: sumAmounts('ltcAmount'), count: sum('ltcCount') },
    },
    accepted_in_fiat: inFiat.map(({ currency, amount, count }) => ({
      // A reversal in another shard may be read without what it takes away.
      amount: formatFiat(amount < 0n ? 0n : amount, currency),
      currency,
      count: Math.max(0, count),
    })),
    accepted_without_rate: Math.max(
      0,
      sum('btcCount') + sum('ltcCount') - inFiat.reduce((total, { count }) => total + count, 0),
    ),
    statuses: {
      new: sum('statusNew'),
      pending: sum('statusPending'),
      confirmed: sum('statusConfirmed'),
      underpaid: sum('statusUnderpaid'),
      expired: sum('statusExpired'),
      late_payment: sum('statusLatePayment'),
    },
    types: { donation: sum('donationsCreated'), order: sum('ordersCreated') },
    activity: lastDays(today).map((date) => activityOf(date, days)),
  };
}

function lastDays(today: string): string[] {
  const todayMs = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: ACTIVITY_DAYS }, (_, index) =>
    new Date(todayMs - (ACTIVITY_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function activityOf(date: string, days: readonly DayStats[]): StatsView['activity'][number] {
  const day = days.find((candidate) => candidate.day === date);
  return {
    date,
    created: (day?.ordersCreated ?? 0) + (day?.donationsCreated ?? 0),
    confirmed: day?.confirmed ?? 0,
    // A reversal counts on the day it is noticed, so the amount of a day can be negative. It is shown as zero.
    accepted: { BTC: atLeastZero(day?.btcAmount), LTC: atLeastZero(day?.ltcAmount) },
  };
}

function atLeastZero(amount: bigint | undefined): string {
  return amount === undefined || amount < 0n ? '0' : String(amount);
}
