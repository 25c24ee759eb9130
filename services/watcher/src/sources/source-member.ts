import type { SourceCandidate } from './choose-source.ts';
import { ChainSourceError, type ChainSource, type SourceTip } from './chain-source.ts';
import type { ValidatedHeader } from './header-chain.ts';

/** How long a source may have less work than another one of its rank: blocks do not reach all nodes at once. */
const LAG_MS = 60_000;
/** How long a source may have less work than any other one before it counts as cut off from its network. */
const CUT_OFF_MS = 600_000;

/** One source of a pool, and what the pool knows about it. */
export type SourceMember = {
  source: ChainSource;
  /** The same source with validated headers; null until its network is known. */
  checked: ChainSource | null;
  /** Its genesis block was compared since it last failed. */
  isOnNetwork: boolean;
  rank: number;
  answers: boolean;
  fault: string | null;
  header: ValidatedHeader | null;
  /** The validation of its headers that is still running. */
  validation: Promise<ValidatedHeader> | null;
  /** Since when another source of its rank has had more work. */
  laggingSinceMs: number | null;
  /** Since when any other source has had more work. */
  lessWorkSinceMs: number | null;
  coolingDownUntilMs: number;
  /** Set while the source is ignored because it sent invalid data. */
  quarantine: { proof: string; untilMs: number } | null;
  skewMs: number | null;
  duplicateOf: string | null;
  isDuplicateLogged: boolean;
};

/** A source before the first survey. */
export function newMember(source: ChainSource, rank: number): SourceMember {
  return {
    source,
    checked: null,
    isOnNetwork: false,
    rank,
    answers: false,
    fault: 'not checked yet',
    header: null,
    validation: null,
    laggingSinceMs: null,
    lessWorkSinceMs: null,
    coolingDownUntilMs: 0,
    quarantine: null,
    skewMs: null,
    duplicateOf: null,
    isDuplicateLogged: false,
  };
}

/** The source with validated headers. Throws ChainSourceError before its network was checked. */
export function checkedOf({ source, checked }: SourceMember): ChainSource {
  if (!checked) throw new ChainSourceError(`${source.name}: its network has not been checked yet`);
  return checked;
}

/** Stops reading from a source. `answers`: it responded, but its chain cannot be used. */
export function setFault(member: SourceMember, fault: string, answers = false): void {
  member.fault = fault;
  member.answers = answers;
  if (!answers) member.isOnNetwork = false;
  member.header = null;
  member.laggingSinceMs = null;
  member.lessWorkSinceMs = null;
}

/** What the choice between sources depends on. */
export function candidateOf(member: SourceMember, nowMs: number): SourceCandidate {
  const { rank, answers, fault, laggingSinceMs, coolingDownUntilMs } = member;
  return {
    rank,
    answers,
    fault,
    isLagging: laggingSinceMs !== null && nowMs - laggingSinceMs > LAG_MS,
    isCoolingDown: coolingDownUntilMs > nowMs,
  };
}

/** Whether other sources have had more work for so long that this one may be cut off from its network. */
export function isCutOff({ lessWorkSinceMs }: SourceMember, nowMs: number): boolean {
  return lessWorkSinceMs !== null && nowMs - lessWorkSinceMs >= CUT_OFF_MS;
}

/** Whether the source is ignored because it sent invalid data. */
export function isQuarantined({ quarantine }: SourceMember, nowMs: number): boolean {
  return quarantine !== null && quarantine.untilMs > nowMs;
}

/** Regtest nodes report an initial download until the first block is mined. */
export function isDownloading({ isInitialDownload, chain }: SourceTip): boolean {
  return isInitialDownload && chain !== 'regtest';
}
