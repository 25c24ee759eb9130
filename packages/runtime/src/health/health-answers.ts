/** What a probe is answered. */
export type HealthAnswer = { status: number; body: unknown };

/** What is known of the process, by the thread that answers probes. */
export type ProcessState = {
  /** Seconds since the event loop last turned, counted while the process ran: a frozen one counts none. */
  stalledSeconds: number;
  isDraining: boolean;
  /** The last readiness that the event loop reported; null before the first. */
  readiness: HealthAnswer | null;
};

/** What the thread is started with. `shared` holds the beats of the event loop, and whether the process drains. */
export type ThreadData = { port: number; host: string; innerPort: number; shared: Int32Array };
export const BEATS = 0;
export const DRAINING = 1;

/**
 * Balancers keep a replica whose event loop stalls for less: its requests wait, while taking out every replica of a busy machine
 * would refuse them all.
 */
export const READY_STALL_SECONDS = 15;
/** An event loop that has not turned for so long will not turn again. */
export const LIVE_STALL_SECONDS = 60;

/** Whether the process turns, whatever it depends on. */
export function answerLive({ stalledSeconds }: ProcessState): HealthAnswer {
  if (stalledSeconds > LIVE_STALL_SECONDS) return stalled(stalledSeconds);
  return { status: 200, body: { status: 'ok' } };
}

/** Whether it can take requests: the last report of the event loop, unless that is too old. */
export function answerReady({ stalledSeconds, isDraining, readiness }: ProcessState): HealthAnswer {
  if (isDraining) return { status: 503, body: { status: 'draining' } };
  if (stalledSeconds > READY_STALL_SECONDS) return stalled(stalledSeconds);
  return readiness ?? { status: 503, body: { status: 'starting' } };
}

function stalled(seconds: number): HealthAnswer {
  return { status: 503, body: { status: 'stalled', stalled_seconds: seconds } };
}
