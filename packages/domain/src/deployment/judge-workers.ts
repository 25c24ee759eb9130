import { failed, ok, type Finding } from './finding.ts';

const CHECK = 'Webhook workers';
/** Workers poll every few seconds even without a notification. */
const MAX_LAG_SECONDS = 60;

/** What to do about webhooks that nobody sends. */
export const WORKER_ADVICE =
  'Start a webhook worker (services/webhook-worker) with the same DATABASE_URL and REDIS_URL, or check its log.';

/** Judges by how long the oldest due webhook has waited for a worker. Pure. */
export function judgeWorkers(lagSeconds: number): Finding {
  const seconds = Math.round(lagSeconds);
  return seconds > MAX_LAG_SECONDS
    ? failed(CHECK, `a due webhook was not picked up for ${seconds} s`, WORKER_ADVICE)
    : ok(CHECK, 'no overdue webhooks');
}
