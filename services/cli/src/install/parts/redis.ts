import { UNITS } from '../paths.ts';
import { rootFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';
import { REDIS_PORT } from './secrets.ts';

const UNIT = 'redis-server@paywatch';

/** A Redis of its own, as an instance of Debian's template: the configuration of Debian's instance stays untouched. */
export function redisParts({ memory, secrets }: Design): Step[] {
  const limit = `[Service]\nMemoryMax=${memory.redisLimit}M\n`;
  return [
    rootFile('/etc/redis/redis-paywatch.conf', settings(memory.redis, secrets.redis_password), {
      mode: 0o640,
      owner: 'root:redis',
      isSecret: true,
      affects: [UNIT],
    }),
    { kind: 'folder', path: `${UNITS}/${UNIT}.service.d`, mode: 0o755, owner: 'root:root' },
    rootFile(`${UNITS}/${UNIT}.service.d/paywatch.conf`, limit, { affects: [UNIT] }),
    { kind: 'unit', name: UNIT },
  ];
}

/** Nothing in Redis has to survive: Postgres is the truth, and lost keys are rebuilt from it. So it writes no file. */
function settings(maxMemoryMb: number, password: string): string {
  return [
    '# Written by `paywatch install`.',
    'bind 127.0.0.1',
    `port ${REDIS_PORT}`,
    `requirepass ${password}`,
    `maxmemory ${maxMemoryMb}mb`,
    'maxmemory-policy noeviction',
    'save ""',
    'appendonly no',
    'supervised auto',
    'daemonize no',
    'dir /var/lib/redis',
    'logfile ""',
    '',
  ].join('\n');
}
