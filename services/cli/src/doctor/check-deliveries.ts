import { judgeWorkers, WORKER_ADVICE, type Finding } from '@paywatch/domain/deployment';
import type { Database } from '@paywatch/store/postgres';
import { measureRelayLag } from '@paywatch/store/webhooks';
import { attempt } from './attempt.ts';

/** Checks that workers send due webhooks. Never rejects. */
export function checkDeliveries(database: Database): Promise<Finding> {
  return attempt('Webhook workers', WORKER_ADVICE, async () => judgeWorkers(await measureRelayLag(database)));
}
