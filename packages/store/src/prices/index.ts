export {
  type ClaimPace,
  type ClaimedRate,
  type RatePair,
  type RateReport,
  type SourceQuote,
  type StoredRate,
  claimRate,
  findRate,
  loadRateReports,
  saveRate,
} from './exchange-rates.ts';
