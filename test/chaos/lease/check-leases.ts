/** An invoice that an API process acknowledged, by the driver's own notes. Times in epoch milliseconds, by its clock. */
export type Acknowledged = {
  orderId: string;
  publicId: string;
  address: string;
  answeredAtMs: number;
  /** When the driver let its time run out, before which nothing could end it; null while it did not. */
  endedAtMs: number | null;
};

/** An invoice's hold on an address, as Postgres has it in the end. */
export type StoredLease = {
  publicId: string;
  address: string;
  index: number;
  leasedAtMs: number;
  /** Null while the invoice holds it. */
  releasedAtMs: number | null;
};

/** What a history says; each of them must be 0. */
export type LeaseCounts = {
  /** Invoices that got an address which another open one held: by the answers, and by what Postgres says. */
  sharedByAnswers: number;
  sharedInPostgres: number;
  /** Acknowledged invoices that Postgres does not have, or has at another address. */
  missing: number;
  /** Orders for which two invoices were acknowledged. */
  ordersTwice: number;
  /** Leases of an address that had not rested. */
  unrested: number;
  /** Leases where the merchant's own wallet does not look. */
  beyondGap: number;
};

/** Compares what was acknowledged with what is stored, and each with itself. */
export function checkLeases(
  acknowledged: readonly Acknowledged[],
  stored: readonly StoredLease[],
  rules: { quarantineMs: number; gapLimit: number },
): LeaseCounts {
  const byAnswers = acknowledged.map(({ address, answeredAtMs, endedAtMs }) => ({
    address,
    fromMs: answeredAtMs,
    untilMs: endedAtMs ?? Infinity,
  }));
  const inPostgres = stored.map(({ address, leasedAtMs, releasedAtMs }) => ({
    address,
    fromMs: leasedAtMs,
    untilMs: releasedAtMs ?? Infinity,
  }));
  const addressOf = new Map(stored.map(({ publicId, address }) => [publicId, address]));
  return {
    sharedByAnswers: countTooEarly(byAnswers, 0),
    sharedInPostgres: countTooEarly(inPostgres, 0),
    missing: acknowledged.filter(({ publicId, address }) => addressOf.get(publicId) !== address).length,
    ordersTwice: countWithSeveral(acknowledged),
    unrested:
      countTooEarly(inPostgres, rules.quarantineMs) -
      countTooEarly(inPostgres, 0) +
      countTooEarly(byAnswers, rules.quarantineMs) -
      countTooEarly(byAnswers, 0),
    beyondGap: stored.filter(({ index }) => index < 1 || index >= rules.gapLimit).length,
  };
}

type Hold = { address: string; fromMs: number; untilMs: number };

/** How many holds of an address begin before an earlier one has been over for `restMs`. */
function countTooEarly(holds: readonly Hold[], restMs: number): number {
  const freeAtMs = new Map<string, number>();
  let count = 0;
  for (const { address, fromMs, untilMs } of holds.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const free = freeAtMs.get(address) ?? -Infinity;
    if (fromMs < free) count += 1;
    freeAtMs.set(address, Math.max(free, untilMs + restMs));
  }
  return count;
}

function countWithSeveral(acknowledged: readonly Acknowledged[]): number {
  const idsOf = Map.groupBy(acknowledged, ({ orderId }) => orderId);
  return [...idsOf.values()].filter((group) => new Set(group.map(({ publicId }) => publicId)).size > 1)
    .length;
}
