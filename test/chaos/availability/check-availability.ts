/** What was asked for while Redis was away. */
export type Kind = 'create' | 'status' | 'login';

/** One request: what it should have been answered with, what it was (null: nothing), and after how long. */
export type Asked = { kind: Kind; expectedStatus: number; status: number | null; durationMs: number };

/** How many requests of a kind there were, and how many were not answered as expected within a second. */
export type Availability = { requests: number; failed: number };

const WITHIN_MS = 1000;

/** For each kind of request, and for all of them together. */
export function checkAvailability(asked: readonly Asked[]): Record<Kind | 'all', Availability> {
  const of = (kind: Kind) => countFailed(asked.filter((one) => one.kind === kind));
  return { create: of('create'), status: of('status'), login: of('login'), all: countFailed(asked) };
}

function countFailed(asked: readonly Asked[]): Availability {
  const failed = asked.filter(
    ({ status, expectedStatus, durationMs }) => status !== expectedStatus || durationMs > WITHIN_MS,
  );
  return { requests: asked.length, failed: failed.length };
}

/** The share that failed; a kind that was never asked for has failed wholly, since nothing is known of it. */
export function failedShare({ requests, failed }: Availability): number {
  return requests === 0 ? 1 : failed / requests;
}
