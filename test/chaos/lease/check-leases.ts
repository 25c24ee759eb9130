/** An acknowledged invoice as recorded by the driver. Times in epoch milliseconds of its clock. */
export type Acknowledged = {
  orderId: string;
  publicId: string;
  address: string;
  answeredAtMs: number;
  /** When the driver let the invoice expire, its earliest possible end; null if it did not. */
  endedAtMs: number | null;
};

/** A lease in Postgres at the end of the run. */
export type StoredLease = {
  publicId: string;
  address: string;
  index: number;
  leasedAtMs: number;
  /** Null while the lease is active. */
  releasedAtMs: number | null;
};

/** The counts; each must be 0. */
export type LeaseCounts = {
  /** Invoices whose address another open invoice had leased, in responses or in Postgres. */
  sharedByAnswers: number;
  sharedInPostgres: number;
  /** Acknowledged invoices that are not in Postgres, or have another address there. */
  missing: number;
  /** Orders with two acknowledged invoices. */
  ordersTwice: number;
  /** Leases of an address before the end of its quarantine. */
  unrested: number;
  /** Leases beyond the gap limit, which the merchant's wallet software does not scan. */
  beyondGap: number;
};

/** Checks the acknowledged invoices against the stored leases, and the consistency of each. */
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

/** The number of leases that begin less than `restMs` after the end of an earlier lease of the address. */
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
