import { cachedRead, withTimeout } from '@paywatch/runtime/process';
import { listIncidents, readServiceFacts } from '@paywatch/store/incidents';
import { isRedisAnswering } from '@paywatch/store/redis';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { statusView, type Observed } from './status-view.ts';

const SHARED_MS = 5000;
const TIMEOUT_MS = 5000;
const SHOWN_INCIDENTS = 10;

/** The status of the service. All requests within five seconds share one read, also one that failed: load on it costs nothing. */
export function getServiceStatus(dependencies: Dependencies): OperationHandler<'getServiceStatus'> {
  const read = cachedRead(async () => {
    const [observed, hasRedis] = await Promise.all([
      observe(dependencies),
      isRedisAnswering(dependencies.store),
    ]);
    return statusView(observed, hasRedis, dependencies.clock.nowMs());
  }, SHARED_MS);
  return async () => ({ status: 200, body: await read() });
}

async function observe({ store, config, logger }: Dependencies): Promise<Observed | null> {
  const reading = Promise.all([
    readServiceFacts(store, config.env.MAIL_URL !== undefined),
    listIncidents(store, SHOWN_INCIDENTS),
  ]).then(
    ([facts, incidents]): Observed => ({ ...facts, incidents }),
    (err: unknown) => {
      logger.warn({ err }, 'status of the service not read');
      return null;
    },
  );
  return withTimeout(reading, TIMEOUT_MS, () => null);
}
