/** The versions that one invoice client received, over all of its connections. */
export type StatusRecord = { publicId: string; received: readonly number[] };

/** The counts of invoice clients; each must be 0. */
export type StatusCounts = {
  /** Clients of an invoice that do not have its last version. */
  behind: number;
  /** Versions that were repeated, decreased, or never existed. */
  repeated: number;
};

/** Compares the last version of each invoice, as the driver committed it, with what each client received. */
export function checkStatuses(
  versions: ReadonlyMap<string, number>,
  statuses: readonly StatusRecord[],
): StatusCounts {
  return {
    behind: statuses.filter(({ publicId, received }) => received.at(-1) !== versions.get(publicId)).length,
    repeated: statuses.reduce((sum, record) => sum + countFaulty(versions, record), 0),
  };
}

function countFaulty(versions: ReadonlyMap<string, number>, { publicId, received }: StatusRecord): number {
  const last = versions.get(publicId) ?? 0;
  return received.filter((version, index) => version > last || version <= (received[index - 1] ?? 0)).length;
}
