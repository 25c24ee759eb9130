/** One request of a group that all ask for the same invoice, and what it was answered in the end. */
export type Repeat = {
  /** True for 201, false for 200. */
  isNew: boolean;
  publicId: string;
  /** An earlier try of the same request may have been done without its answer having arrived. */
  mayHaveLostAnswer: boolean;
};

/** Requests that name one invoice, and what became of them. */
export type RepeatGroup = {
  /** Of the requests that were answered in the end. */
  repeats: readonly Repeat[];
  /** Requests that were never answered, though they may have been done. */
  unanswered: number;
  /** The public ids of the invoices that Postgres has for the group. */
  stored: readonly string[];
};

/** What a history of repeated requests says; each of them must be 0. */
export type IdempotencyCounts = {
  /** Invoices that a group has beyond its first, in Postgres or by its answers. */
  secondInvoices: number;
  /** Answers 201 that a group has beyond its first. */
  secondCreations: number;
  /** Groups without a 201, though no answer that could have been one was lost. */
  creationsUnsaid: number;
  /** Invoices that were acknowledged and that Postgres does not have. */
  missing: number;
};

/** Exactly one invoice for each group, said to be new exactly once. */
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
