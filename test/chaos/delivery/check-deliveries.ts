/** A webhook as the merchant's side wrote it down, in the order of arrival. */
export type Arrival = {
  /** The invoice and the type of the event: what happened, whatever id it came under. */
  outcome: string;
  eventId: string;
  /** Hash of the raw body. */
  bodyHash: string;
  /** Whether the merchant took it; a request that was refused or cut off does not count as heard. */
  isTaken: boolean;
};

/** What a history of deliveries says. Only `repeated` may be above 0: delivery is at least once. */
export type DeliveryCounts = {
  /** Outcomes that were caused and that the merchant never took. */
  missing: number;
  /** Outcomes that nobody caused. */
  uncaused: number;
  /** Outcomes that arrived under more than one event id. */
  twoEventIds: number;
  /** Event ids whose bodies differ. */
  twoBodies: number;
  /** Events taken again after they had been taken. */
  repeated: number;
};

/** Compares what was caused with what arrived; neither is read from Paywatch's own tables. */
export function checkDeliveries(caused: ReadonlySet<string>, arrivals: readonly Arrival[]): DeliveryCounts {
  const taken = arrivals.filter(({ isTaken }) => isTaken);
  const heard = new Set(taken.map(({ outcome }) => outcome));
  const arrived = new Set(arrivals.map(({ outcome }) => outcome));
  return {
    missing: [...caused].filter((outcome) => !heard.has(outcome)).length,
    uncaused: [...arrived].filter((outcome) => !caused.has(outcome)).length,
    twoEventIds: countWithSeveral(arrivals.map(({ outcome, eventId }) => [outcome, eventId])),
    twoBodies: countWithSeveral(arrivals.map(({ eventId, bodyHash }) => [eventId, bodyHash])),
    repeated: taken.length - new Set(taken.map(({ eventId }) => eventId)).size,
  };
}

/** How many keys came with more than one value. */
function countWithSeveral(pairs: readonly (readonly [string, string])[]): number {
  const values = new Map<string, Set<string>>();
  for (const [key, value] of pairs) values.set(key, (values.get(key) ?? new Set()).add(value));
  return [...values.values()].filter(({ size }) => size > 1).length;
}
