export { type CoinRates, type CoinSums, goalProgress, worthIn } from './goal-progress.ts';
