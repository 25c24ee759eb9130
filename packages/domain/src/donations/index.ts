export { type FiatAmount, fiatWorth } from './fiat-worth.ts';
export { type CoinRates, type CoinSums, goalProgress, worthIn } from './goal-progress.ts';
export { uploadsOf, type UploadReference, withoutUpload } from '../contract/overlay-uploads.ts';
