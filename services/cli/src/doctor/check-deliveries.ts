import type { Database } from '@paywatch/store/postgres';
import { measureRelayLag } from '@paywatch/store/webhooks';
import { attempt, failed, ok, type Finding } from './finding.ts';

const ADVICE =
  'Start a webhook worker (services/webhook-worker) with the same DATABASE_URL and REDIS_URL, or check its log.';
/** Workers poll every few seconds even without a notification. */
const MAX_LAG_SECONDS = 60;

/** Checks that workers send due webhooks. Never rejects. */
export function checkDeliveries(database: Database): Promise<Finding> {
  return attempt('Webhook workers', ADVICE, async () => {
    const lagSeconds = Math.round(await measureRelayLag(database));
    return lagSeconds > MAX_LAG_SECONDS
      ? failed('Webhook workers', `a due webhook was not picked up for ${lagSeconds} s`, ADVICE)
      : ok('Webhook workers', 'no overdue webhooks');
  });
}
