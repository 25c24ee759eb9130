/** The final response to one request of a group, whose requests all create the same invoice. */
export type Repeat = {
  /** True for 201, false for 200. */
  isNew: boolean;
  publicId: string;
  /** An earlier try of this request may have been executed although its response was lost. */
  mayHaveLostAnswer: boolean;
};

/** The requests for one invoice and their results. */
export type RepeatGroup = {
  /** The final responses. */
  repeats: readonly Repeat[];
  /** Number of requests without a response, which may still have been executed. */
  unanswered: number;
  /** Public ids of the group's invoices in Postgres. */
  stored: readonly string[];
};

/** The counts; each must be 0. */
export type IdempotencyCounts = {
  /** Invoices beyond the first of a group, in Postgres or in responses. */
  secondInvoices: number;
  /** Responses with 201 beyond the first of a group. */
  secondCreations: number;
  /** Groups without a 201 although no response was lost. */
  creationsUnsaid: number;
  /** Acknowledged invoices that are not in Postgres. */
  missing: number;
};

/** Checks that each group has exactly one invoice, reported as new exactly once. */
export function checkIdempotency(groups: readonly RepeatGroup[]): IdempotencyCounts {
  return {
    secondInvoices: sum(groups, ({ repeats, stored }) =>
      beyondFirst(new Set([...stored, ...repeats.map(({ publicId }) => publicId)]).size),
    ),
    secondCreations: sum(groups, ({ repeats }) => beyondFirst(countNew(repeats))),
    creationsUnsaid: sum(groups, (group) => (isCreationUnsaid(group) ? 1 : 0)),
    missing: sum(
      groups,
      ({ repeats, stored }) =>
        [...new Set(repeats.map(({ publicId }) => publicId))].filter((id) => !stored.includes(id)).length,
    ),
  };
}

function isCreationUnsaid({ repeats, unanswered }: RepeatGroup): boolean {
  const mayBeLost = unanswered > 0 || repeats.some(({ mayHaveLostAnswer }) => mayHaveLostAnswer);
  return repeats.length > 0 && countNew(repeats) === 0 && !mayBeLost;
}

function countNew(repeats: readonly Repeat[]): number {
  return repeats.filter(({ isNew }) => isNew).length;
}

function beyondFirst(count: number): number {
  return Math.max(0, count - 1);
}

function sum<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + countOf(item), 0);
}
