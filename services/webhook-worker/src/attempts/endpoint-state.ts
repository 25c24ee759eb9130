/*
 * What the attempt gate knows about one endpoint. The state has three parts, and `transition` changes them.
 *
 * | health  | Meaning                                      | Attempts in flight           | An attempt starts          |
 * | ------- | -------------------------------------------- | ---------------------------- | -------------------------- |
 * | new     | no fast attempt has been seen here           | 1                            | 10 ms after the last one   |
 * |         |                                              |                              | to any new endpoint        |
 * | healthy | the last attempt took less than `SLOW_MS`    | `limit`: one more after each | at once                    |
 * |         |                                              | fast attempt, up to the cap  |                            |
 * | slow    | the last attempt took `SLOW_MS` or longer    | 1; all slow endpoints share  | spread over `SPREAD_MS`    |
 * |         |                                              | half of the worker's slots   |                            |
 *
 * | backlog   | Meaning                                    | Next                                                      |
 * | --------- | ------------------------------------------ | --------------------------------------------------------- |
 * | none      | no delivery is known to be left behind     | a delivery is deferred: deferred                          |
 * | deferred  | deliveries were left in Postgres           | a slot is free: scheduled                                 |
 * | scheduled | a pull starts at the next pull interval    | it starts: pulling; no slot is free any more: deferred    |
 * | pulling   | a pull runs                                | it filled all of its slots: deferred; it did not: none;   |
 * |           |                                            | a delivery is deferred meanwhile: outdated                |
 * | outdated  | a pull runs that may have missed something | it ends: deferred                                         |
 */

/** Immutable; `limit` is the number of attempts that may be in flight. */
export type EndpointState = {
  health: 'new' | 'healthy' | 'slow';
  limit: number;
  backlog: 'none' | 'deferred' | 'scheduled' | 'pulling' | 'outdated';
};

export type EndpointEvent =
  | { kind: 'attempt_ended'; durationMs: number; maxLimit: number }
  | { kind: 'delivery_deferred' }
  | { kind: 'pull_scheduled' }
  | { kind: 'pull_started' }
  | { kind: 'pull_canceled' }
  /** `filledAll`: every slot got a delivery, so there may be more. */
  | { kind: 'pull_ended'; filledAll: boolean };

/** An attempt that takes this long makes its endpoint slow: half of the deadline of an attempt. */
export const SLOW_MS = 5000;

/** The state of an endpoint that nothing is in flight to. */
export function initialState(health: 'new' | 'healthy'): EndpointState {
  return { health, limit: 1, backlog: 'none' };
}

/** Returns the state after an event. Pure. */
export function transition(state: EndpointState, event: EndpointEvent): EndpointState {
  switch (event.kind) {
    case 'attempt_ended':
      return { ...state, ...afterAttempt(state, event) };
    case 'delivery_deferred':
      return { ...state, backlog: AFTER_DEFERRAL[state.backlog] };
    case 'pull_scheduled':
      return { ...state, backlog: 'scheduled' };
    case 'pull_started':
      return { ...state, backlog: 'pulling' };
    case 'pull_canceled':
      return { ...state, backlog: 'deferred' };
    case 'pull_ended':
      break;
  }
  return { ...state, backlog: event.filledAll || state.backlog === 'outdated' ? 'deferred' : 'none' };
}

/** Whether a pull will run or is running. */
export function isPulling({ backlog }: EndpointState): boolean {
  return backlog === 'scheduled' || backlog === 'pulling' || backlog === 'outdated';
}

/** Whether deliveries are left in Postgres that no running pull is sure to find. */
export function hasDeferred({ backlog }: EndpointState): boolean {
  return backlog === 'deferred' || backlog === 'scheduled' || backlog === 'outdated';
}

function afterAttempt(
  { limit }: EndpointState,
  { durationMs, maxLimit }: { durationMs: number; maxLimit: number },
): Pick<EndpointState, 'health' | 'limit'> {
  if (durationMs >= SLOW_MS) return { health: 'slow', limit: 1 };
  return { health: 'healthy', limit: Math.min(limit + 1, maxLimit) };
}

const AFTER_DEFERRAL = {
  none: 'deferred',
  deferred: 'deferred',
  scheduled: 'scheduled',
  pulling: 'outdated',
  outdated: 'outdated',
} as const satisfies Record<EndpointState['backlog'], EndpointState['backlog']>;
