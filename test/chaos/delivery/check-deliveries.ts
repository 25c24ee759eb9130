/** A webhook as recorded by the merchant. */
export type Arrival = {
  /** Invoice and event type, which identify the outcome independently of the event id. */
  outcome: string;
  eventId: string;
  /** Hash of the raw body. */
  bodyHash: string;
  /** Whether the merchant accepted it; rejected and broken requests do not count. */
  isTaken: boolean;
};

/** The counts. Only `repeated` may be above 0, since delivery is at least once. */
export type DeliveryCounts = {
  /** Caused outcomes that the merchant never accepted. */
  missing: number;
  /** Outcomes that nobody caused. */
  uncaused: number;
  /** Outcomes with more than one event id. */
  twoEventIds: number;
  /** Event ids with different bodies. */
  twoBodies: number;
  /** Events accepted more than once. */
  repeated: number;
};

/** Compares the caused outcomes with the received webhooks. Neither list comes from Paywatch's tables. */
export function checkDeliveries(caused: ReadonlySet<string>, arrivals: readonly Arrival[]): DeliveryCounts {
  const taken = arrivals.filter(({ isTaken }) => isTaken);
  const received = new Set(taken.map(({ outcome }) => outcome));
  const arrived = new Set(arrivals.map(({ outcome }) => outcome));
  return {
    missing: [...caused].filter((outcome) => !received.has(outcome)).length,
    uncaused: [...arrived].filter((outcome) => !caused.has(outcome)).length,
    twoEventIds: countWithSeveral(arrivals.map(({ outcome, eventId }) => [outcome, eventId])),
    twoBodies: countWithSeveral(arrivals.map(({ eventId, bodyHash }) => [eventId, bodyHash])),
    repeated: taken.length - new Set(taken.map(({ eventId }) => eventId)).size,
  };
}

/** The number of keys with more than one value. */
function countWithSeveral(pairs: readonly (readonly [string, string])[]): number {
  const values = new Map<string, Set<string>>();
  for (const [key, value] of pairs) values.set(key, (values.get(key) ?? new Set()).add(value));
  return [...values.values()].filter(({ size }) => size > 1).length;
}
