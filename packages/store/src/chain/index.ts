export { markFresh, markStale } from './chain-freshness.ts';
export {
  LeadershipLostError,
  renewLeadership,
  releaseLeadership,
  lockChain,
  lockChainAsLeader,
  acquireLeadership,
} from './leadership.ts';
export { type SourceReport, loadSourceReports, saveSourceReports } from './chain-sources.ts';
export { type ChainStatus, loadChainStatuses } from './chain-status.ts';
export {
  type BlockRef,
  type ChainState,
  advanceTip,
  beginChain,
  loadChain,
  loadFollowedBlocks,
  loadRecentBlocks,
} from './chains.ts';
export { disconnectAbove } from './disconnect-blocks.ts';
export {
  loadUnscannedBlock,
  loadUnscannedBlocks,
  lockPendingBlock,
  markBlockScanned,
  enqueueBlocks,
} from './pending-blocks.ts';
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
  claimRescan,
} from './rescans.ts';
