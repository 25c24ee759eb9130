import { addRequest, CLIENT_WINDOW_MS, judgeClients, type ClientWindow } from '@paywatch/domain/requests';
import { randomToken } from '@paywatch/runtime/security';
import { saveClientWindow } from '@paywatch/store/redis';
import type { RequestHandler } from 'express';
import type { Dependencies } from '../dependencies.ts';

/**
 * Logs a warning every ten minutes while all requests come from one address: behind a proxy that TRUSTED_PROXIES does not name, all
 * clients share one rate limit. Requires `requestContext`. The result is also stored for `paywatch doctor`; the log contains no address.
 */
export function checkTrustedProxies({
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
    // Only doctor reads it.
    saveClientWindow(store, replica, ended).catch((error: unknown) =>
      logger.debug({ err: error }, 'client addresses of the last ten minutes not stored'),
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
  'all requests of ten minutes came from one address; if it is a proxy, add it to TRUSTED_PROXIES and let it send X-Forwarded-For';
