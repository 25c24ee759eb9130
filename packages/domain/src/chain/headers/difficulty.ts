import { RETARGET_BLOCKS, type HeaderRules } from './consensus-rules.ts';
import { bitsOfTarget, targetOfBits } from './proof-of-work.ts';

/** A header with its position in a chain. */
export interface ChainedHeader {
  readonly height: number;
  readonly hash: string;
  readonly prevHash: string;
  readonly timeMs: number;
  readonly bits: number;
}

/** Finds a header by its hash (display hex). */
export type FindHeader = (hash: string) => ChainedHeader | undefined;

/** The lowest height of a header needed to validate the one at `height`. */
export function lowestNeeded(rules: HeaderRules, height: number): number {
  const forTime = height - MEDIAN_BLOCKS;
  const period = Math.floor((height - 1) / RETARGET_BLOCKS) * RETARGET_BLOCKS;
  const isRetarget = height % RETARGET_BLOCKS === 0;
  const forTarget = rules.isFixed || !(isRetarget || rules.allowsEasyBlocks) ? height - 1 : period - 1;
  return Math.max(0, Math.min(forTime, forTarget));
}

/** Number of headers for the median time. */
const MEDIAN_BLOCKS = 11;

/**
 * The compact target required of the block above `parent` with this time (epoch milliseconds). Throws if a header down to
 * `lowestNeeded` is missing.
 */
export function requiredBits(
  rules: HeaderRules,
  parent: ChainedHeader,
  timeMs: number,
  find: FindHeader,
): number {
  if (rules.isFixed) return rules.limitBits;
  if ((parent.height + 1) % RETARGET_BLOCKS === 0) return retarget(rules, parent, find);
  if (!rules.allowsEasyBlocks) return parent.bits;
  const isSlow = timeMs > parent.timeMs + 2 * rules.spacingSeconds * 1000;
  return isSlow ? rules.limitBits : lastOrdinaryBits(rules, parent, find);
}

/** On a test network, ordinary blocks continue from the last block that did not use the easiest target. */
function lastOrdinaryBits(rules: HeaderRules, parent: ChainedHeader, find: FindHeader): number {
  let header = parent;
  while (header.height % RETARGET_BLOCKS !== 0 && header.bits === rules.limitBits)
    header = below(header, find);
  return header.bits;
}

function retarget(rules: HeaderRules, last: ChainedHeader, find: FindHeader): number {
  const first = ancestorAt(last, last.height + 1 - RETARGET_BLOCKS, find);
  const isFirstPeriod = first.height === 0;
  const from = rules.measuresFromBlockBefore && !isFirstPeriod ? below(first, find) : first;
  const seconds = (last.timeMs - from.timeMs) / 1000;
  return retargetedBits(rules, rules.hasBip94 ? first.bits : last.bits, seconds);
}

/** The compact target after a period of this duration: at most four times easier or harder. */
function retargetedBits(rules: HeaderRules, bits: number, seconds: number): number {
  const { periodSeconds } = rules;
  const bounded = Math.min(Math.max(seconds, periodSeconds / 4), periodSeconds * 4);
  const limit = targetOfBits(rules.limitBits) ?? 0n;
  const target = targetOfBits(bits) ?? 0n;
  // Litecoin Core also drops the lowest bit of the largest targets, which the compact form does not have.
  const scaled = (target * BigInt(bounded)) / BigInt(periodSeconds);
  return scaled > limit ? rules.limitBits : bitsOfTarget(scaled);
}

/** The median time of a header and the ten below it, in epoch milliseconds: the next block must have a later time. */
export function medianTimeMs(header: ChainedHeader, find: FindHeader): number {
  const times = [header.timeMs];
  for (let last = header; times.length < MEDIAN_BLOCKS && last.height > 0; times.push(last.timeMs))
    last = below(last, find);
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? header.timeMs;
}

function ancestorAt(header: ChainedHeader, height: number, find: FindHeader): ChainedHeader {
  let ancestor = header;
  while (ancestor.height > height) ancestor = below(ancestor, find);
  return ancestor;
}

function below(header: ChainedHeader, find: FindHeader): ChainedHeader {
  const parent = find(header.prevHash);
  if (!parent) throw new Error(`the header below block ${header.height} is not known`);
  return parent;
}
