import { judgeClients } from '@paywatch/domain/requests';
import { loadClientWindows } from '@paywatch/store/redis';
import { readRedisConfig, type Env } from '../config.ts';
import { attempt, ok, warning, type Finding } from './finding.ts';

const CHECK = 'Clients';
const ADVICE =
  'If it is a proxy, everybody behind it shares one login limit: name it in TRUSTED_PROXIES, and have it send X-Forwarded-For ' +
  '(the shipped HAProxy: TRUSTED_UPSTREAMS or PROXY_PROTOCOL_UPSTREAMS).';

/** Whether the API tells its clients apart. Never rejects. */
export function checkClients(env: Env): Promise<Finding> {
  return attempt(CHECK, 'Set REDIS_URL and REDIS_PREFIX as the API has them.', async () => {
    const { REDIS_URL, REDIS_PREFIX } = readRedisConfig(env);
    const spread = judgeClients(await loadClientWindows(REDIS_URL, REDIS_PREFIX));
    if (spread.kind === 'one')
      return warning(
        CHECK,
        `all ${spread.requests} requests of ten minutes came from ${spread.network}`,
        ADVICE,
      );
    return spread.kind === 'several'
      ? ok(CHECK, 'requests come from several addresses')
      : ok(CHECK, 'too few requests within ten minutes to tell whether clients are told apart');
  });
}
