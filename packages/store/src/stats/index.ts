export { foldDays, foldShards } from './fold-stats.ts';
export { STATS_SHARDS, type StatsChange, addToStats } from './project-stats.ts';
export { type DayStats, type ProjectStats, readStats } from './stats.ts';
