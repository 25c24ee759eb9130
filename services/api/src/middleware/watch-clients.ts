import { addRequest, CLIENT_WINDOW_MS, judgeClients, type ClientWindow } from '@paywatch/domain/requests';
import { randomToken } from '@paywatch/runtime/security';
import { saveClientWindow } from '@paywatch/store/redis';
import type { RequestHandler } from 'express';
import type { Dependencies } from '../dependencies.ts';

/**
 * Warns once in ten minutes where all requests of that time came from one address: behind a proxy that TRUSTED_PROXIES does not
 * name, everybody shares one budget of each limit. Comes after `requestContext`. The log names no address; what was seen
 * is kept for `paywatch doctor`.
 */
export function watchClients({
  clock,
  logger,
  store,
}: Pick<Dependencies, 'clock' | 'logger' | 'store'>): RequestHandler {
  const replica = randomToken(8);
  let startedAtMs = clock.nowMs();
  let window: ClientWindow | null = null;
  const end = (ended: ClientWindow): void => {
    const spread = judgeClients([ended]);
    if (spread.kind === 'one') logger.warn({ requests: spread.requests }, ONE_ADDRESS);
    // Only doctor misses it.
    saveClientWindow(store, replica, ended).catch((error: unknown) =>
      logger.debug({ err: error }, 'clients of the last ten minutes not saved'),
    );
  };
  return (request, _response, next) => {
    if (window !== null && clock.nowMs() - startedAtMs >= CLIENT_WINDOW_MS) {
      end(window);
      window = null;
    }
    if (window === null) startedAtMs = clock.nowMs();
    window = addRequest(window, request.context.network);
    next();
  };
}

const ONE_ADDRESS =
  'all requests of ten minutes came from one address; if that is a proxy, name it in TRUSTED_PROXIES and have it send X-Forwarded-For';
