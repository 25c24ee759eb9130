/** The kinds of requests. */
export type Kind = 'create' | 'status' | 'login';

/** One request: expected status, actual status (null without a response) and duration. */
export type Asked = { kind: Kind; expectedStatus: number; status: number | null; durationMs: number };

/** The number of requests of a kind, and of those without the expected status within a second. */
export type Availability = { requests: number; failed: number };

const WITHIN_MS = 1000;

/** Counts each kind of request, and all together. */
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

/** The share of failed requests; 1 for a kind without requests, since nothing is known about it. */
export function failedShare({ requests, failed }: Availability): number {
  return requests === 0 ? 1 : failed / requests;
}
