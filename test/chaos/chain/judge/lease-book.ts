import type { Money, View } from './decide-from-history.ts';

/** One lease of an address, as the driver saw it begin. */
export type Lease = {
  publicId: string;
  scriptHex: string;
  type: 'order' | 'donation';
  /** Another system gave the address out: it is out of the pool for good. */
  isImported: boolean;
  /** When the invoice was created, by its own account, which was held against the driver's clock. */
  createdMs: number;
  /** When the invoice was seen to end without money; null where it did not. */
  expiredMs: number | null;
};

/** What was paid to a script, and where it was in every view of the node. */
export type PaidScript = { money: readonly Money[]; views: readonly Pick<View, 'fromMs' | 'places'>[] };

/** What the judgement of leases rests on. */
export type Rules = {
  quarantineMs: number;
  /** Whether some watcher provably polled between two moments. */
  surelyLooked(fromMs: number, toMs: number): boolean;
};

/** Clocks of one machine. */
const BLUR_MS = 1000;

/**
 * Leases that must not be: an address that another open invoice holds, one that is in quarantine, one that had received money before,
 * an order's after a donation's, and any after an imported order's.
 */
export function judgeLeases(
  leases: readonly Lease[],
  paidTo: (scriptHex: string) => PaidScript,
  rules: Rules,
): string[] {
  const byScript = Map.groupBy(leases, ({ scriptHex }) => scriptHex);
  return [...byScript.values()].flatMap((shared) => {
    const ordered = shared.toSorted((a, b) => a.createdMs - b.createdMs);
    return ordered.flatMap((lease, index) => [
      ...faultsAfter(ordered[index - 1], lease, rules),
      ...(ordered.slice(0, index).some(({ type }) => type === 'donation') && lease.type === 'order'
        ? [`${lease.publicId}: an order got the address of a donation`]
        : []),
      ...(ordered.slice(0, index).some(({ isImported }) => isImported)
        ? [`${lease.publicId}: it got the address of an imported order`]
        : []),
      ...faultsOfMoney(lease, paidTo(lease.scriptHex), rules),
    ]);
  });
}

/** Which of the invoices of a script have an earlier one. */
export function isReused(leases: readonly Lease[], { scriptHex, createdMs }: Lease): boolean {
  return leases.some((other) => other.scriptHex === scriptHex && other.createdMs < createdMs);
}

function faultsAfter(before: Lease | undefined, lease: Lease, { quarantineMs }: Rules): string[] {
  if (!before) return [];
  if (before.expiredMs === null || before.expiredMs > lease.createdMs + BLUR_MS)
    return [`${lease.publicId}: its address is still that of ${before.publicId}`];
  const restedMs = lease.createdMs - before.expiredMs;
  return restedMs >= quarantineMs - BLUR_MS
    ? []
    : [`${lease.publicId}: its address rested ${restedMs} ms only`];
}

/** Valid payments that a watcher provably saw before the lease. */
function faultsOfMoney(lease: Lease, { money, views }: PaidScript, rules: Rules): string[] {
  const before = views.filter(({ fromMs }) => fromMs <= lease.createdMs);
  const early = money.filter(({ id, sentMs }) => {
    const sinceMs = heldSinceMs(id, before);
    const isHeld = sinceMs !== null && sentMs < lease.createdMs;
    return isHeld && rules.surelyLooked(sinceMs, lease.createdMs);
  });
  return early.map(({ id }) => `${lease.publicId}: its address had received ${id} before`);
}

/** Since when the last of the views holds it without a break; null where it does not. */
function heldSinceMs(id: string, views: PaidScript['views']): number | null {
  const lastWithout = views.findLastIndex(({ places }) => (places.get(id) ?? null) === null);
  return views[lastWithout + 1]?.fromMs ?? null;
}

/** An invoice that had an address, and what it was still owed where nothing had come. */
export type Holder = {
  publicId: string;
  type: Lease['type'];
  createdMs: number;
  asked: bigint;
  deadlineMs: number;
};

/** The owner of a payment: an invoice, none, or one of several if it came too close to a lease to decide. */
export type Owner = { publicId: string | null } | 'contested';

type Sent = Pick<Money, 'id' | 'sentMs' | 'claims' | 'outputs'>;

/**
 * The owners of the payments of a script. A payment sent before a lease never counts for it. A later one belongs to the holder
 * of that moment, unless it is exactly the due of an earlier holder whose time ended less than a day ago, and cannot be a part
 * of the current due.
 */
export function ownersOf(holders: readonly Holder[], money: readonly Sent[]): Map<string, Owner> {
  const ordered = holders.toSorted((a, b) => a.createdMs - b.createdMs);
  const owners = new Map<string, Owner>();
  for (const one of money.toSorted((a, b) => a.sentMs - b.sentMs)) {
    const sentMs = firstSentMs(one, money);
    const isClose = ordered.some(({ createdMs }) => sentMs < createdMs && createdMs - sentMs < CLOSE_MS);
    owners.set(one.id, isClose ? 'contested' : ownerOf(one, sentMs, ordered, { owners, money }));
  }
  return owners;
}

/**
 * Within this time before a lease it is uncertain what a watcher saw first. After the lease, the payer got the address from it.
 */
const CLOSE_MS = 3000;
const DAY_MS = 86_400_000;

function ownerOf(
  one: Sent,
  sentMs: number,
  holders: readonly Holder[],
  before: { owners: ReadonlyMap<string, Owner>; money: readonly Sent[] },
): Owner {
  const index = holders.findLastIndex(({ createdMs }) => createdMs <= sentMs);
  const present = holders[index];
  if (!present) return { publicId: null };
  const amount = totalOf(one);
  const former = holders
    .slice(0, index)
    .findLast(({ asked, deadlineMs }) => asked === amount && sentMs < deadlineMs + DAY_MS);
  if (!former) return { publicId: present.publicId };
  if (present.type === 'donation') return 'contested';
  const due = present.asked - receivedBy(present, before);
  return { publicId: amount > due ? former.publicId : present.publicId };
}

function receivedBy(
  { publicId }: Holder,
  { owners, money }: { owners: ReadonlyMap<string, Owner>; money: readonly Sent[] },
): bigint {
  const theirs = money.filter(({ id }) => {
    const owner = owners.get(id);
    return owner !== undefined && owner !== 'contested' && owner.publicId === publicId;
  });
  return theirs.reduce((sum, one) => sum + totalOf(one), 0n);
}

function totalOf({ outputs }: Pick<Money, 'outputs'>): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n);
}

/** A replacement that pays the same script is as old as what it replaces. */
function firstSentMs(one: Sent, money: readonly Sent[]): number {
  const family = money.filter(({ claims }) => claims.some((claim) => one.claims.includes(claim)));
  return Math.min(one.sentMs, ...family.map(({ sentMs }) => sentMs));
}

/** Whether a payment was sent before the lease began and may not have been seen until then. */
export function isContested(lease: Lease, { money, views }: PaidScript, rules: Rules): boolean {
  const before = views.filter(({ fromMs }) => fromMs <= lease.createdMs);
  return money.some((one) => {
    if (one.sentMs >= lease.createdMs) return false;
    const sinceMs = heldSinceMs(one.id, before);
    return sinceMs === null || !rules.surelyLooked(sinceMs, lease.createdMs);
  });
}
