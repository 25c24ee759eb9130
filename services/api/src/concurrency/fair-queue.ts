/** Runs a task when it is the turn of its owner. Rejects when too many tasks wait. */
export type FairQueue = <Result>(owner: string, task: () => Promise<Result>) => Promise<Result>;

export type FairQueueOptions = {
  /** How many tasks run at once. */
  concurrency: number;
  maxWaiting: number;
  maxWaitingPerOwner: number;
  /** The error with which tasks beyond these limits are rejected. */
  queueFull: () => Error;
};

/** Creates a queue that serves owners in turn: an owner with many tasks delays its own tasks, not those of others. */
export function createFairQueue({ concurrency, ...limits }: FairQueueOptions): FairQueue {
  let running = 0;
  const queues: Queues = new Map();
  return async (owner, task) => {
    if (running >= concurrency) await waitForSlot(queues, owner, limits);
    else running += 1;
    try {
      return await task();
    } finally {
      const next = takeNext(queues);
      if (next === null) running -= 1;
      else next();
    }
  };
}

type Queues = Map<string, (() => void)[]>;

/** Resolves when a finished task passes on its slot. */
async function waitForSlot(
  queues: Queues,
  owner: string,
  { maxWaiting, maxWaitingPerOwner, queueFull }: Omit<FairQueueOptions, 'concurrency'>,
): Promise<void> {
  const queue = queues.get(owner) ?? [];
  const waiting = queues.values().reduce((sum, { length }) => sum + length, 0);
  if (waiting >= maxWaiting || queue.length >= maxWaitingPerOwner) throw queueFull();
  const { promise, resolve } = Promise.withResolvers<void>();
  queues.set(owner, [...queue, resolve]);
  await promise;
}

/** Takes the next task of the owner whose turn it is, and moves that owner to the end of the line. */
function takeNext(queues: Queues): (() => void) | null {
  const [turn] = queues;
  if (turn === undefined) return null;
  const [owner, [next, ...rest]] = turn;
  queues.delete(owner);
  if (rest.length > 0) queues.set(owner, rest);
  return next ?? null;
}
