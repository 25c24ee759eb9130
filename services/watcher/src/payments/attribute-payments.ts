import { attributePayment, firstSeen, inheritFirstSeen } from '@paywatch/domain/invoices';
import type {
  FirstRecord,
  HolderTerms,
  NewPayment,
  Place,
  RecordedPayment,
  ScriptAddress,
  ScriptLease,
  SeenTransaction,
  Sighted,
  Spender,
} from '@paywatch/store/payments';

/** What is known about transactions that were seen together, and about transactions in conflict with them. */
export type Facts = {
  /** The derived addresses that they pay, leased or not. */
  addresses: readonly ScriptAddress[];
  /** Every lease of these scripts. */
  leases: readonly ScriptLease[];
  /** Terms of the invoices that share a script with others. */
  terms: ReadonlyMap<bigint, HolderTerms>;
  /** The recorded transactions that spend the same outpoints, including themselves if they were recorded before. */
  spenders: readonly Spender[];
  /** First records of those that are recorded, by txid. */
  known: ReadonlyMap<string, FirstRecord>;
  /** The recorded outputs of these transactions and of `spenders`. */
  recorded: readonly RecordedPayment[];
  /** Peg-outs to these scripts that are in no block any more. */
  lostPegOuts: readonly RecordedPayment[];
  place: Place;
  nowMs: number;
  /** How far the clock of the node is ahead of that of Postgres. */
  skewMs: number;
};

/** Whether a transaction pays a derived script, or spends an outpoint that a recorded one spends. */
export function concernsUs({
  addresses,
  leases,
  spenders,
}: Pick<Facts, 'addresses' | 'leases' | 'spenders'>): (transaction: SeenTransaction) => boolean {
  const derived = new Set([...addresses, ...leases].map(({ scriptHex }) => scriptHex));
  const claimed = new Set(spenders.map(({ outpoint }) => outpoint));
  return ({ outputs, spends }) =>
    outputs.some(({ scriptHex }) => derived.has(scriptHex)) ||
    spends.some((spent) => claimed.has(keyOf(spent)));
}

/** Invoices that share a script: only between them does the amount of a payment decide which one it belongs to. */
export function invoicesSharingScript(leases: readonly ScriptLease[]): bigint[] {
  const shared = [...Map.groupBy(leases, ({ scriptHex }) => scriptHex).values()].filter(
    ({ length }) => length > 1,
  );
  return shared.flat().map(({ invoiceId }) => invoiceId);
}

/** Two transactions in conflict; `mine` is one of those just seen. */
export type ConflictingPair = { mine: string; theirs: string };

/** Every pair of a seen transaction and another one, seen or recorded, that spends the same outpoint. */
export function conflictingPairs(
  seen: readonly SeenTransaction[],
  spenders: readonly Spender[],
): ConflictingPair[] {
  const claims = seen.flatMap(({ txid, spends }) =>
    spends.map((spent) => ({ txid, outpoint: keyOf(spent) })),
  );
  const byOutpoint = Map.groupBy([...spenders, ...claims], ({ outpoint }) => outpoint);
  const pairs = claims.flatMap(({ txid: mine, outpoint }) =>
    (byOutpoint.get(outpoint) ?? []).flatMap(({ txid: theirs }) => (theirs === mine ? [] : { mine, theirs })),
  );
  return [...new Map(pairs.map((pair) => [pair.mine + pair.theirs, pair])).values()];
}

/** What to record about a transaction, from what is known now and what was known before. */
export function sightingOf(transaction: SeenTransaction, facts: Facts): Sighted {
  const { place, nowMs, skewMs } = facts;
  const { txid } = transaction;
  const mempoolTimeMs = firstMempoolTime(transaction, facts);
  const enteredMs = mempoolTimeMs === null ? nowMs : Math.min(nowMs, mempoolTimeMs - skewMs);
  const mempoolMs = place.kind === 'mempool' ? enteredMs : null;
  return { txid, firstSeenMs: ownFirstSeen(transaction, facts), mempoolMs };
}

/**
 * The mempool time of a transaction that is recorded for the first time. Later ones are left out: a reorganisation returns it to the
 * mempool at the node's time of that moment, and a clock that is behind would put a late payment back in time.
 */
function firstMempoolTime({ txid, mempoolTimeMs }: SeenTransaction, { known }: Facts): number | null {
  return known.has(txid) ? null : mempoolTimeMs;
}

function ownFirstSeen(transaction: SeenTransaction, facts: Facts, isPegOut = false): number {
  const { known, place, nowMs } = facts;
  const knownMs = known.get(transaction.txid)?.firstSeenMs;
  return firstSeen({
    sightedAtMs: Math.min(nowMs, knownMs ?? nowMs),
    mempoolTimeMs: firstMempoolTime(transaction, facts),
    metInBlockTimeMs: place.kind === 'block' && knownMs === undefined ? place.timeMs : null,
    isPegOut,
  });
}

/** An output of a replaced transaction, recorded before or seen earlier in the same batch. */
type ReplacedPayment = Pick<RecordedPayment, 'txid' | 'scriptHex' | 'invoiceId' | 'amount' | 'firstSeenMs'>;

/**
 * Assigns the outputs that pay derived scripts to an invoice or to none, with the first-seen time that a replacement inherits.
 * They are processed one after another, so it makes no difference whether two of them come in one batch or in two.
 */
export function attributePayments(
  seen: readonly SeenTransaction[],
  facts: Facts,
  pairs: readonly ConflictingPair[],
): NewPayment[] {
  const index = indexFacts(facts);
  const rivalsOf = Map.groupBy(pairs, ({ mine }) => mine);
  return seen.flatMap((transaction) => {
    const rivals = rivalsOf.get(transaction.txid) ?? [];
    const replaced = rivals.flatMap(({ theirs }) => index.paidBy.get(theirs) ?? []);
    return paymentsOf(transaction, facts, index, replaced);
  });
}

/** The facts indexed for attribution, and what attribution changes as it proceeds. */
type FactIndex = {
  leasesOf: ReadonlyMap<string, readonly ScriptLease[]>;
  poolOf: ReadonlyMap<string, bigint>;
  recordedAt: ReadonlyMap<string, RecordedPayment>;
  paidBy: Map<string, readonly ReplacedPayment[]>;
  dueOf: Map<bigint, bigint>;
  lostPegOuts: RecordedPayment[];
};

function indexFacts({ addresses, leases, terms, recorded, lostPegOuts }: Facts): FactIndex {
  return {
    leasesOf: Map.groupBy(leases, ({ scriptHex }) => scriptHex),
    poolOf: new Map(
      [...leases, ...addresses].toReversed().map(({ scriptHex, poolId }) => [scriptHex, poolId]),
    ),
    recordedAt: new Map(recorded.map((payment) => [keyOf(payment), payment])),
    paidBy: Map.groupBy(recorded, ({ txid }) => txid),
    dueOf: new Map(
      [...terms].flatMap(([id, { dueAmount }]) => (dueAmount === null ? [] : [[id, dueAmount] as const])),
    ),
    lostPegOuts: [...lostPegOuts],
  };
}

function paymentsOf(
  transaction: SeenTransaction,
  facts: Facts,
  index: FactIndex,
  replaced: readonly ReplacedPayment[],
): NewPayment[] {
  const { txid } = transaction;
  const attributed = transaction.outputs.flatMap((output): NewPayment[] => {
    const poolId = index.poolOf.get(output.scriptHex);
    if (poolId === undefined) return [];
    const isPegOut = transaction.isHogEx && output.vout > 0;
    const known = index.recordedAt.get(keyOf({ txid, vout: output.vout }));
    const lost = known === undefined && isPegOut ? takeLost(index, output) : undefined;
    const same = known ?? lost ?? oldestOf(replaced, output.scriptHex);
    const invoiceId = same === undefined ? ownerOf(transaction, output, facts, index) : same.invoiceId;
    if (known === undefined && lost === undefined) spendDue(index, invoiceId, output.amount);
    return [
      {
        ...output,
        txid,
        invoiceId,
        poolId: invoiceId === null ? poolId : null,
        firstSeenMs: ownFirstSeen(transaction, facts, isPegOut),
        isPegOut,
        movedFrom: lost?.id ?? null,
      },
    ];
  });
  const payments = attributed.map((payment) => inherit(payment, attributed, replaced));
  if (!index.paidBy.has(txid)) index.paidBy.set(txid, payments);
  return payments;
}

/** The lost peg-out that this output is, mined again: identified by script and amount, each used once. */
function takeLost(
  { lostPegOuts }: FactIndex,
  { scriptHex, amount }: { scriptHex: string; amount: bigint },
): RecordedPayment | undefined {
  const position = lostPegOuts.findIndex((lost) => lost.scriptHex === scriptHex && lost.amount === amount);
  return position === -1 ? undefined : lostPegOuts.splice(position, 1)[0];
}

/** A fee bump is the same money: the replaced output to the same script decides the owner, or that there is none. */
function oldestOf(replaced: readonly ReplacedPayment[], scriptHex: string): ReplacedPayment | undefined {
  const same = replaced.filter((payment) => payment.scriptHex === scriptHex);
  return same.toSorted((a, b) => a.firstSeenMs - b.firstSeenMs)[0];
}

function ownerOf(
  transaction: SeenTransaction,
  { scriptHex, amount }: { scriptHex: string; amount: bigint },
  facts: Facts,
  index: FactIndex,
): bigint | null {
  const { place } = facts;
  const owner = attributePayment(
    (index.leasesOf.get(scriptHex) ?? []).map((lease) => ({
      ...lease,
      invoiceId: String(lease.invoiceId),
      dueAmount: index.dueOf.get(lease.invoiceId) ?? null,
      deadlineMs: facts.terms.get(lease.invoiceId)?.deadlineMs ?? 0,
    })),
    {
      readCounter: facts.known.get(transaction.txid)?.readCounter ?? null,
      mempoolTimeMs: transaction.mempoolTimeMs,
      block: place.kind === 'block' ? place : null,
      // Without the allowance for peg-outs, which decides whether a payment is in time, not which invoice it belongs to.
      firstSeenMs: ownFirstSeen(transaction, facts),
      amount,
    },
    facts.skewMs,
  );
  return owner === null ? null : BigInt(owner);
}

function spendDue({ dueOf }: FactIndex, invoiceId: bigint | null, amount: bigint): void {
  const due = invoiceId === null ? undefined : dueOf.get(invoiceId);
  if (invoiceId !== null && due !== undefined) dueOf.set(invoiceId, due - amount);
}

/** Inherits the first-seen time of a replaced transaction that paid this invoice at most as much. */
function inherit(
  payment: NewPayment,
  together: readonly NewPayment[],
  replaced: readonly ReplacedPayment[],
): NewPayment {
  const ofInvoice = ({ invoiceId }: { invoiceId: bigint | null }): boolean => invoiceId === payment.invoiceId;
  const paid = sumOf(together.filter(ofInvoice));
  const heirOf = [...Map.groupBy(replaced.filter(ofInvoice), ({ txid }) => txid).values()].map((same) => ({
    amount: sumOf(same),
    firstSeenMs: Math.min(...same.map(({ firstSeenMs }) => firstSeenMs)),
  }));
  return { ...payment, firstSeenMs: inheritFirstSeen(payment.firstSeenMs, paid, heirOf) };
}

function sumOf(payments: readonly { amount: bigint }[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Of seen transactions that share an input, the last one is unreplaced: it arrived later. */
export function unreplaced(seen: readonly SeenTransaction[]): string[] {
  const spender = new Map(seen.flatMap((t) => t.spends.map((spent) => [keyOf(spent), t.txid] as const)));
  return seen.flatMap((t) =>
    t.spends.every((spent) => spender.get(keyOf(spent)) === t.txid) ? [t.txid] : [],
  );
}

function keyOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`;
}
