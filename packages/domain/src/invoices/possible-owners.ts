/**
 * The possible owners of an output by the specification and the best chain. It checks `lease-attribution.ts`, so it shares no
 * code with it.
 */

/** One invoice's lease of a script and its terms. Amounts in minimal units, times in epoch milliseconds. */
export type ReconciledLease = {
  /** Public id. */
  invoice: string;
  leasedAtMs: number;
  /** The tip when the lease started; null for an imported order. */
  tipHeight: number | null;
  /** False if a reorganisation has disconnected that tip: it proves nothing any more. */
  isTipOnChain: boolean;
  /** Number of recorded batches when the lease started; null for an imported order. */
  readCounter: bigint | null;
  expectedAmount: bigint | null;
  deadlineMs: number;
};

/** An output in a best-chain block. */
export type OwnedOutput = { amount: bigint; height: number; blockTimeMs: number };

/** Recorded facts about the time of an output, which the chain does not show. */
export type OwnershipRecord = {
  readCounter: bigint | null;
  mempoolAtMs: number | null;
  firstSeenMs: number;
  isSuccessor: boolean;
};

const MINER_CLOCK_MS = 2 * 3_600_000;
const LATE_PAYER_MS = 24 * 3_600_000;

/**
 * The invoices, by public id, that an output may belong to, newest first, and null if it may belong to none. Excludes leases
 * that the chain or a recorded counter proves to be newer than the output. `isOnly`: nothing else pays the script.
 */
export function possibleOwners(
  output: OwnedOutput,
  leases: readonly ReconciledLease[],
  record: OwnershipRecord | null,
  isOnly: boolean,
): Set<string | null> {
  // A replacement belongs to the invoice of the replaced transaction, even if another invoice leases the script now.
  if (record?.isSuccessor === true) return new Set([...leases.map(({ invoice }) => invoice), null]);
  const eligible = leases
    .filter((lease) => !isProvenOlder(output, record, lease))
    .toSorted((a, b) => b.leasedAtMs - a.leasedAtMs);
  const position = eligible.findIndex((lease) => !mayBeOlder(output, record, lease));
  const holders = position === -1 ? eligible : eligible.slice(0, position + 1);
  const owners = holders.flatMap((holder) =>
    withFormer(output, holder, eligible.slice(eligible.indexOf(holder) + 1), record, isOnly),
  );
  return new Set([...owners, ...(position === -1 ? [null] : [])]);
}

/** Whether the output is certainly older than the lease. */
function isProvenOlder(output: OwnedOutput, record: OwnershipRecord | null, lease: ReconciledLease): boolean {
  const wasMined = lease.isTipOnChain && wasBelowTip(output, lease);
  const wasDated = output.blockTimeMs < lease.leasedAtMs - MINER_CLOCK_MS;
  return wasMined || wasDated || wasRecorded(record, lease);
}

function wasRecorded(record: OwnershipRecord | null, lease: ReconciledLease): boolean {
  const counter = record?.readCounter ?? null;
  return counter !== null && lease.readCounter !== null && counter <= lease.readCounter;
}

/** Whether the output may be older: a mempool held it before, or it is unknown which blocks the lease was built on. */
function mayBeOlder(output: OwnedOutput, record: OwnershipRecord | null, lease: ReconciledLease): boolean {
  const mempoolMs = record?.mempoolAtMs ?? null;
  const wasInMempool = mempoolMs !== null && mempoolMs < lease.leasedAtMs;
  // For a lease tip on the best chain this would be a proof.
  return wasInMempool || wasBelowTip(output, lease);
}

function wasBelowTip({ height }: OwnedOutput, { tipHeight }: ReconciledLease): boolean {
  return height <= (tipHeight ?? -1);
}

/**
 * The current holder, and earlier ones whose late payment this may be: exactly what one still asked for, and more than the
 * current holder asks for. Only the earlier one if nothing else pays the script, because then both due amounts are known.
 */
function withFormer(
  { amount, blockTimeMs }: OwnedOutput,
  holder: ReconciledLease,
  earlier: readonly ReconciledLease[],
  record: OwnershipRecord | null,
  isOnly: boolean,
): string[] {
  if (holder.expectedAmount === null) return [holder.invoice];
  const exceedsDue = !isOnly || amount > holder.expectedAmount;
  if (!exceedsDue) return [holder.invoice];
  const former = earlier.filter(({ expectedAmount, deadlineMs }) => {
    if (expectedAmount === null) return false;
    const seenMs = Math.min(record?.firstSeenMs ?? blockTimeMs, blockTimeMs);
    if (seenMs - deadlineMs >= LATE_PAYER_MS) return false;
    return isOnly ? amount === expectedAmount : amount <= expectedAmount;
  });
  const [first] = former;
  if (first === undefined) return [holder.invoice];
  const isCertain =
    isOnly && blockTimeMs + MINER_CLOCK_MS - first.deadlineMs < LATE_PAYER_MS && record !== null;
  return isCertain ? [first.invoice] : [...former.map(({ invoice }) => invoice), holder.invoice];
}
