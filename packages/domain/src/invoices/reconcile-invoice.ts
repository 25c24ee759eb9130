import type { InvoiceStatus } from '../contract/fields/primitives.ts';
import { possibleOwners, type OwnedOutput, type ReconciledLease } from './possible-owners.ts';
import {
  possibleStatuses,
  type InvoiceTerms,
  type MinedOutput,
  type StatusEvidence,
} from './possible-statuses.ts';

/** Every way in which a record can differ from the chain. */
type DifferenceKind =
  | 'missing_payment'
  | 'unknown_payment'
  | 'wrong_amount'
  | 'wrong_address'
  | 'wrong_block'
  | 'wrong_invoice'
  | 'wrong_lateness'
  | 'wrong_status'
  | 'unverifiable';

/** One difference. Texts are for people; null: nothing is expected or recorded. */
export type Difference = {
  kind: DifferenceKind;
  /** `txid:vout`; null for a difference of the invoice as a whole. */
  outpoint: string | null;
  expected: string | null;
  recorded: string | null;
};

/** An invoice with its recorded status and terms. */
type ReconciledInvoice = {
  publicId: string;
  status: InvoiceStatus;
  scriptHex: string;
  terms: InvoiceTerms;
};

/** An output of a block that was read. */
export type ChainOutput = OwnedOutput & { txid: string; vout: number; scriptHex: string };

/** An output as recorded. */
export type RecordedOutput = {
  txid: string;
  vout: number;
  scriptHex: string;
  amount: bigint;
  /** Public id of its invoice; null if it belongs to none. */
  invoice: string | null;
  /** Height of its block; null if it is in none. */
  height: number | null;
  firstSeenMs: number;
  isCounted: boolean;
  readCounter: bigint | null;
  mempoolAtMs: number | null;
  /** Whether it was recorded after its invoice had an outcome. */
  isAfterOutcome: boolean;
  /** Whether it may be an earlier payment under a new outpoint: a peg-out, or the replacement of a payment to the same script. */
  isSuccessor: boolean;
  /** Whether a conflict of it or of one of its ancestors is recorded, whatever holds that conflict now. */
  hasRival: boolean;
};

/** What is compared for one invoice: everything at its script, and what is recorded for it elsewhere. */
export type ReconciliationCase = {
  invoice: ReconciledInvoice;
  /** Every lease of its script. */
  leases: readonly ReconciledLease[];
  chain: readonly ChainOutput[];
  recorded: readonly RecordedOutput[];
  /** The blocks that were read, both ends included; these are all blocks mined since `fromTimeMs`. */
  read: { from: number; fromTimeMs: number; to: number };
  isOver: boolean | null;
  isWithheld: boolean;
};

/** How far a miner's clock may be off. */
const MINER_CLOCK_MS = 2 * 3_600_000;

/** All differences between the records of an invoice and the chain. Pure. */
export function reconcileInvoice(given: ReconciliationCase): Difference[] {
  const pairs = pairUp(given);
  const isCovered = wasReadSince(given);
  return [
    ...pairs.flatMap((pair) => compareOutput(given, pair)),
    ...(isCovered ? compareStatus(given, pairs) : [unverifiable(given)]),
  ];
}

type Pair = { chain: ChainOutput | null; recorded: RecordedOutput | null; owners: Set<string | null> };

function pairUp({ chain, recorded, leases }: ReconciliationCase): Pair[] {
  const recordedAt = new Map(recorded.map((output) => [outpointOf(output), output]));
  const chainAt = new Map(chain.map((output) => [outpointOf(output), output]));
  const outpoints = [...new Set([...chainAt.keys(), ...recordedAt.keys()])];
  return outpoints.map((outpoint) => {
    const mined = chainAt.get(outpoint) ?? null;
    const known = recordedAt.get(outpoint) ?? null;
    const owners =
      mined === null
        ? new Set<string | null>()
        : possibleOwners(mined, leases, known, outpoints.length === 1);
    return { chain: mined, recorded: known, owners };
  });
}

function compareOutput(given: ReconciliationCase, { chain, recorded, owners }: Pair): Difference[] {
  if (chain === null) return recorded === null ? [] : compareUnmined(given, recorded);
  if (!isConcerned(given.invoice.publicId, owners, recorded)) return [];
  const outpoint = outpointOf(chain);
  if (recorded !== null) {
    const differing = comparedFields(given, chain, recorded, owners).filter(({ isWrong }) => isWrong);
    return differing.map(({ kind, expected, found }) => ({ kind, outpoint, expected, recorded: found }));
  }
  // Money that is older than every lease may have been paid before the address was watched.
  if (owners.has(null)) return [];
  const expected = `${chain.amount} in block ${chain.height}`;
  return [{ kind: 'missing_payment', outpoint, expected, recorded: null }];
}

type ComparedField = { kind: DifferenceKind; isWrong: boolean; expected: string; found: string };

function comparedFields(
  given: ReconciliationCase,
  chain: ChainOutput,
  recorded: RecordedOutput,
  owners: ReadonlySet<string | null>,
): ComparedField[] {
  const fields: [DifferenceKind, boolean, string, string][] = [
    ['wrong_amount', recorded.amount !== chain.amount, String(chain.amount), String(recorded.amount)],
    ['wrong_address', recorded.scriptHex !== chain.scriptHex, chain.scriptHex, recorded.scriptHex],
    ['wrong_block', recorded.height !== chain.height, nameOf(chain.height), nameOf(recorded.height)],
    ['wrong_invoice', !owners.has(recorded.invoice), namesOf(owners), recorded.invoice ?? NO_INVOICE],
    ['wrong_lateness', isWronglyLate(given, chain, recorded), 'in time', 'late'],
  ];
  return fields.map(([kind, isWrong, expected, found]) => ({ kind, isWrong, expected, found }));
}

function nameOf(height: number | null): string {
  return height === null ? 'no block' : `block ${height}`;
}

/**
 * Whether an output concerns this invoice: one that is recorded for another holder, who owns it, is compared with that invoice.
 */
function isConcerned(
  invoice: string,
  owners: ReadonlySet<string | null>,
  recorded: RecordedOutput | null,
): boolean {
  return owners.has(invoice) || owners.has(null) || recorded?.invoice === invoice;
}

const NO_INVOICE = 'no invoice';

function namesOf(owners: ReadonlySet<string | null>): string {
  return [...owners].map((owner) => owner ?? NO_INVOICE).join(' or ');
}

/** Compares recorded payments that are in none of the read blocks. */
function compareUnmined(
  { invoice, read, leases }: ReconciliationCase,
  recorded: RecordedOutput,
): Difference[] {
  const { amount, height } = recorded;
  const outpoint = outpointOf(recorded);
  const isElsewhere = recorded.scriptHex !== invoice.scriptHex;
  if (isElsewhere) {
    // Its block is compared with the invoices of its own script.
    return [{ kind: 'wrong_invoice', outpoint, expected: NO_INVOICE, recorded: invoice.publicId }];
  }
  const wasRead = height !== null && height >= read.from && height <= read.to;
  if (wasRead) {
    return [{ kind: 'unknown_payment', outpoint, expected: null, recorded: `${amount} in block ${height}` }];
  }
  const isHolder = recorded.invoice === null || leases.some((lease) => lease.invoice === recorded.invoice);
  if (isHolder) return [];
  const holders = leases.map((lease) => lease.invoice).join(' or ');
  return [{ kind: 'wrong_invoice', outpoint, expected: holders, recorded: recorded.invoice }];
}

/** Whether every block since the start of the lease was read. */
function wasReadSince({ invoice, leases, read }: ReconciliationCase): boolean {
  const own = leases.find((lease) => lease.invoice === invoice.publicId);
  if (own === undefined || read.from === 0) return true;
  if (own.tipHeight !== null && own.isTipOnChain) return own.tipHeight + 1 >= read.from;
  return own.leasedAtMs - MINER_CLOCK_MS >= read.fromTimeMs;
}

function unverifiable({ invoice, read }: ReconciliationCase): Difference {
  return {
    kind: 'unverifiable',
    outpoint: null,
    expected: `blocks below ${read.from}, which no source has or which are older than the run reads`,
    recorded: invoice.status,
  };
}

function compareStatus(given: ReconciliationCase, pairs: readonly Pair[]): Difference[] {
  const { invoice } = given;
  const right = rightStatuses(given, pairs);
  if (right.has(invoice.status)) return [];
  const expected = [...right].join(' or ');
  return [{ kind: 'wrong_status', outpoint: null, expected, recorded: invoice.status }];
}

function rightStatuses(given: ReconciliationCase, pairs: readonly Pair[]): Set<InvoiceStatus> {
  const { terms, publicId } = given.invoice;
  const evidence = evidenceOf(given, pairs);
  const certain = pairs.flatMap((pair) => (isOwnedBy(pair, publicId) ? minedOutput(given, pair) : []));
  const perhaps = pairs.flatMap((pair) => (mayBeOwnedBy(pair, publicId) ? minedOutput(given, pair) : []));
  const without = possibleStatuses(terms, certain, evidence);
  return without.union(possibleStatuses(terms, [...certain, ...perhaps], evidence));
}

/** If the record may be right, it decides who owns the output; otherwise the chain does. */
function isOwnedBy({ recorded, owners }: Pair, invoice: string): boolean {
  if (recorded !== null && owners.has(recorded.invoice)) return recorded.invoice === invoice;
  return owners.has(invoice) && owners.size === 1;
}

function mayBeOwnedBy({ recorded, owners }: Pair, invoice: string): boolean {
  if (recorded !== null && owners.has(recorded.invoice)) return false;
  return owners.has(invoice) && owners.size > 1;
}

function minedOutput({ invoice }: ReconciliationCase, { chain, recorded }: Pair): MinedOutput[] {
  if (chain === null) return [];
  const { deadlineMs } = invoice.terms;
  const { amount, height } = chain;
  // A payment that was recorded after the outcome, or was void at it and returned, counts as late, whenever it was first seen.
  if (recorded?.isAfterOutcome === true || recorded?.hasRival === true)
    return [{ amount, height, isInTime: null }];
  if (isCertainlyInTime(chain, deadlineMs)) return [{ amount, height, isInTime: true }];
  return [{ amount, height, isInTime: recorded === null ? null : recorded.firstSeenMs <= deadlineMs }];
}

function isCertainlyInTime({ blockTimeMs }: ChainOutput, deadlineMs: number): boolean {
  return blockTimeMs + MINER_CLOCK_MS <= deadlineMs;
}

function isWronglyLate(
  { invoice }: ReconciliationCase,
  chain: ChainOutput,
  recorded: RecordedOutput,
): boolean {
  const { deadlineMs } = invoice.terms;
  return (
    recorded.invoice === invoice.publicId &&
    recorded.firstSeenMs > deadlineMs &&
    isCertainlyInTime(chain, deadlineMs)
  );
}

function evidenceOf(
  { invoice, read, isOver, isWithheld }: ReconciliationCase,
  pairs: readonly Pair[],
): StatusEvidence {
  const own = pairs.filter(({ recorded }) => recorded?.invoice === invoice.publicId);
  const isDeep = ({ height }: ChainOutput): boolean =>
    read.to - height + 1 >= invoice.terms.confirmationsRequired;
  return {
    tipHeight: read.to,
    isOver,
    isWithheld,
    hasUnmined: own.some(({ chain, recorded }) => chain === null && recorded?.height === null),
    hasReported: own.some(
      ({ chain, recorded }) =>
        recorded?.isCounted === true && (chain === null ? recorded.height === null : !isDeep(chain)),
    ),
  };
}

function outpointOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`;
}
