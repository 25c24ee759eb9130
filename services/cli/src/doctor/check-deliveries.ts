import type { Database } from '@paywatch/store/postgres';
import { measureRelayLag } from '@paywatch/store/webhooks';
import { attempt, failed, ok, type Finding } from './finding.ts';

const ADVICE =
  'Start a webhook worker (services/webhook-worker) with the same DATABASE_URL and REDIS_URL, or read its log.';
/** A worker looks every few seconds, whatever it was told. */
const MAX_LAG_SECONDS = 60;

/** Whether somebody takes up the webhooks that are due. Never rejects. */
export function checkDeliveries(database: Database): Promise<Finding> {
  return attempt('Webhook workers', ADVICE, async () => {
    const lagSeconds = Math.round(await measureRelayLag(database));
    return lagSeconds > MAX_LAG_SECONDS
      ? failed('Webhook workers', `a webhook has waited for ${lagSeconds} s and nobody takes it up`, ADVICE)
      : ok('Webhook workers', 'no webhook waits for one');
  });
}
