export {
  type ClaimedRate,
  type RatePair,
  type RateReport,
  type SourceQuote,
  type StoredRate,
  claimRates,
  findRate,
  loadRateReports,
  saveRate,
} from './exchange-rates.ts';
