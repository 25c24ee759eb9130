import { ok, warning, type Finding } from '@paywatch/domain/deployment';
import { judgeClients } from '@paywatch/domain/requests';
import { loadClientWindows } from '@paywatch/store/redis';
import { readRedisConfig, type Env } from '../config.ts';
import { attempt } from './attempt.ts';

const CHECK = 'Clients';
const ADVICE =
  'If this is a proxy, all clients behind it share one login limit. Add it to TRUSTED_PROXIES and let it send X-Forwarded-For ' +
  '(the shipped HAProxy: TRUSTED_UPSTREAMS or PROXY_PROTOCOL_UPSTREAMS).';

/** Checks that the API sees different client addresses. Never rejects. */
export function checkClients(env: Env): Promise<Finding> {
  return attempt(CHECK, 'Set REDIS_URL and REDIS_PREFIX to the values of the API.', async () => {
    const { REDIS_URL, REDIS_PREFIX } = readRedisConfig(env);
    const spread = judgeClients(await loadClientWindows(REDIS_URL, REDIS_PREFIX));
    if (spread.kind === 'one')
      return warning(
        CHECK,
        `all ${spread.requests} requests in the last ten minutes came from ${spread.network}`,
        ADVICE,
      );
    return spread.kind === 'several'
      ? ok(CHECK, 'requests come from several addresses')
      : ok(CHECK, 'too few requests in the last ten minutes to check client addresses');
  });
}
