import { POSTGRES_OF_DEBIAN } from '../machine/facts.ts';
import { UNITS } from '../paths.ts';
import { rootFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';
import { DATABASE, OWNER } from './secrets.ts';

/** Debian's cluster `main` with limits, the role that owns the schema, and the database. `migrate` creates the other roles. */
export function postgresParts({ facts, memory, secrets }: Design): Step[] {
  const version = POSTGRES_OF_DEBIAN[facts.debian];
  const unit = `postgresql@${version}-main`;
  const limit = `[Service]\nMemoryMax=${memory.postgresLimit}M\nOOMPolicy=continue\n`;
  return [
    { kind: 'folder', path: `${UNITS}/${unit}.service.d`, mode: 0o755, owner: 'root:root' },
    rootFile(`${UNITS}/${unit}.service.d/paywatch.conf`, limit, { affects: [unit] }),
    rootFile(`/etc/postgresql/${version}/main/conf.d/paywatch.conf`, settings(memory.postgresBuffers), {
      affects: [unit],
    }),
    { kind: 'unit', name: unit },
    { kind: 'role', name: OWNER, password: secrets.owner_password },
    { kind: 'database', name: DATABASE, owner: OWNER },
  ];
}

function settings(buffersMb: number): string {
  return [
    '# Written by `paywatch install`.',
    "listen_addresses = 'localhost'",
    "password_encryption = 'scram-sha-256'",
    'max_connections = 120',
    `shared_buffers = ${buffersMb}MB`,
    "work_mem = '8MB'",
    "maintenance_work_mem = '64MB'",
    '',
  ].join('\n');
}
