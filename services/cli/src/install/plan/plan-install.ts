import { caddyParts } from '../parts/caddy.ts';
import { backupParts } from '../parts/backup.ts';
import { postgresParts } from '../parts/postgres.ts';
import { redisParts } from '../parts/redis.ts';
import { programParts } from '../parts/program.ts';
import { secretParts } from '../parts/secrets.ts';
import { serviceParts } from '../parts/services.ts';
import { SETTINGS } from '../paths.ts';
import { ANSWERS_FILE } from '../answers/read-answers.ts';
import type { Answers } from '../answers/answers.ts';
import type { Facts } from '../machine/facts.ts';
import { rootFile } from './files.ts';
import { shareMemory, type MemoryShares } from './memory.ts';
import type { Secrets } from './secrets.ts';
import type { Step } from './step.ts';

/** What every part of the plan is made from. */
export type Design = { answers: Answers; facts: Facts; secrets: Secrets; memory: MemoryShares };

/** The packages of Debian that Paywatch runs on. libatomic1 is needed by Node. */
const PACKAGES = [
  'ca-certificates',
  'curl',
  'libatomic1',
  'postgresql',
  'redis-server',
  'caddy',
  'logrotate',
];

/** Lists everything that an installed machine has, in the order in which it is made. */
export function planInstall(answers: Answers, facts: Facts, secrets: Secrets): Step[] {
  const design = { answers, facts, secrets, memory: shareMemory(facts.memoryMb) };
  return [
    { kind: 'packages', names: PACKAGES },
    { kind: 'user', name: 'paywatch' },
    { kind: 'folder', path: SETTINGS, mode: 0o755, owner: 'root:root' },
    rootFile(ANSWERS_FILE, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600, isSecret: true }),
    ...secretParts(design),
    ...programParts(design),
    ...postgresParts(design),
    ...redisParts(design),
    ...serviceParts(design),
    ...caddyParts(design),
    ...backupParts(design),
  ];
}
