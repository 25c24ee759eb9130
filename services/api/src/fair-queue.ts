/** Runs a task, or lets it wait for the turn of whoever `name` stands for. Rejects where too many wait. */
export type FairQueue = <Result>(name: string, task: () => Promise<Result>) => Promise<Result>;

/** How many tasks run at once, how many may wait, of all and of one name, and what those beyond are refused with. */
export type FairQueueOptions = {
  atOnce: number;
  maxWaiting: number;
  maxWaitingEach: number;
  refusal: () => Error;
};

/** Names take turns: whoever asks for much waits behind itself, and not before the others. */
export function createFairQueue({ atOnce, ...limits }: FairQueueOptions): FairQueue {
  let running = 0;
  const queues: Queues = new Map();
  return async (name, task) => {
    if (running >= atOnce) await enqueue(queues, name, limits);
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

/** Whoever is called takes over the slot of the one that ended. */
async function enqueue(
  queues: Queues,
  name: string,
  { maxWaiting, maxWaitingEach, refusal }: Omit<FairQueueOptions, 'atOnce'>,
): Promise<void> {
  const queue = queues.get(name) ?? [];
  const waiting = queues.values().reduce((sum, { length }) => sum + length, 0);
  if (waiting >= maxWaiting || queue.length >= maxWaitingEach) throw refusal();
  const { promise, resolve } = Promise.withResolvers<void>();
  queues.set(name, [...queue, resolve]);
  await promise;
}

/** The first of the name whose turn it is, which is then last in turn. */
function takeNext(queues: Queues): (() => void) | null {
  const [turn] = queues;
  if (turn === undefined) return null;
  const [name, [next, ...rest]] = turn;
  queues.delete(name);
  if (rest.length > 0) queues.set(name, rest);
  return next ?? null;
}
