export { addressToScript } from './address.ts';
export { HEADER_BYTES, parseBlockHeader } from './block-header.ts';
export { type ParsedBlock, parseBlock } from './block.ts';
export {
  CHAINS,
  NETWORKS,
  NODE_CHAIN_NAMES,
  type Network,
  SCRIPT_TYPES,
  type ScriptType,
  networkOfGenesis,
} from './chains.ts';
export { type HeaderRules, headerRulesOf } from './headers/consensus-rules.ts';
export { type ChainedHeader, lowestNeeded } from './headers/difficulty.ts';
export { findBlockFault, findHeaderFault } from './headers/header-validation.ts';
export { meetsTarget, workOfBits } from './headers/proof-of-work.ts';
export { diffMempool } from './mempool-diff.ts';
export { ParseError } from './parse-error.ts';
export { type BlockPlace, type ChainPlan, planReorg } from './plan-reorg.ts';
export {
  type ParsedTransaction,
  type SpentOutpoint,
  type TransactionProbe,
  parseTransaction,
} from './transaction.ts';
