export { markFresh, markStale } from './chain-freshness.ts';
export { LeadLostError, keepLead, leaveLead, lockChain, lockChainAsLeader, takeLead } from './chain-lead.ts';
export { type SourceReport, loadSourceReports, saveSourceReports } from './chain-sources.ts';
export { type ChainStatus, loadChainStatuses } from './chain-status.ts';
export {
  type BlockRef,
  type ChainState,
  advanceTip,
  beginChain,
  disconnectAbove,
  loadChain,
  loadFollowedBlocks,
  loadRecentBlocks,
  loadUnscannedBlock,
  loadUnscannedBlocks,
  lockWantedBlock,
  markBlockScanned,
  wantBlocks,
} from './chains.ts';
export { type FeeEstimate, findFeeEstimate, saveFeeEstimate } from './fee-estimates.ts';
export { advanceReadCounter, nextReadCounter } from './read-counter.ts';
export {
  type Rescan,
  type RescanBeginning,
  advanceRescan,
  beginRescan,
  failRescan,
  findNewestRescan,
  loadRescan,
  lockRescannedBlock,
  requestRescan,
  takeRescan,
} from './rescans.ts';
