export { foldDays, foldShards } from './fold-stats.ts';
export { type FiatChange, type FiatTotal, addToFiatTotals, readFiatTotals } from './fiat-totals.ts';
export { STATS_SHARDS, type StatsChange, addToStats } from './project-stats.ts';
export { type DayStats, type ProjectStats, readStats } from './stats.ts';
