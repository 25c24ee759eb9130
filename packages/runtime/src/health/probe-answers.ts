/** Response to a probe. */
export type HealthAnswer = { status: number; body: unknown };

/** What the probe thread knows about the process. */
export type ProcessState = {
  /** Seconds since the last turn of the event loop, counted by the probe thread; a frozen process counts none. */
  stalledSeconds: number;
  isDraining: boolean;
  /** Last readiness reported by the event loop; null before the first report. */
  readiness: HealthAnswer | null;
};

/** Start parameters of the probe thread. `shared` holds the heartbeat counter and the draining flag. */
export type ThreadData = { port: number; host: string; innerPort: number; shared: Int32Array };
export const BEATS = 0;
export const DRAINING = 1;

/**
 * Load balancers keep a replica that stalls for less. Its requests wait; removing every replica of a busy machine would refuse all
 * requests.
 */
export const READY_STALL_SECONDS = 15;
/** An event loop that stalls for longer is considered dead. */
export const LIVE_STALL_SECONDS = 60;

/** Liveness: whether the event loop runs, regardless of dependencies. */
export function answerLive({ stalledSeconds }: ProcessState): HealthAnswer {
  if (stalledSeconds > LIVE_STALL_SECONDS) return stalled(stalledSeconds);
  return { status: 200, body: { status: 'ok' } };
}

/** Readiness: the last report of the event loop, unless the loop has stalled since. */
export function answerReady({ stalledSeconds, isDraining, readiness }: ProcessState): HealthAnswer {
  if (isDraining) return { status: 503, body: { status: 'draining' } };
  if (stalledSeconds > READY_STALL_SECONDS) return stalled(stalledSeconds);
  return readiness ?? { status: 503, body: { status: 'starting' } };
}

function stalled(seconds: number): HealthAnswer {
  return { status: 503, body: { status: 'stalled', stalled_seconds: seconds } };
}
