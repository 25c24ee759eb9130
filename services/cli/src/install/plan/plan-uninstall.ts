import { SITE_FILE } from '../parts/caddy.ts';
import { PROGRAMS, SERVICE_UNITS, SETTINGS, UNITS } from '../paths.ts';

/** What `uninstall` does: the units that it stops, and the files that it deletes. */
export type Removal = { units: readonly string[]; paths: readonly string[]; kept: readonly string[] };

const CLOCKED = ['paywatch-watchdog', 'paywatch-retention', 'paywatch-backup'];

/** Removes the programs and the units. Keeps the database, the settings with all secrets, the backups and Debian's packages. */
export function planUninstall(backupFolder: string | null): Removal {
  const services = [
    'paywatch-migrate',
    'paywatch-watcher',
    'paywatch-webhook-worker',
    'paywatch-api@',
    ...CLOCKED,
  ];
  return {
    units: [...CLOCKED.map((name) => `${name}.timer`), ...SERVICE_UNITS.toReversed(), 'paywatch-migrate'],
    paths: [
      ...services.map((name) => `${UNITS}/${name}.service`),
      ...CLOCKED.map((name) => `${UNITS}/${name}.timer`),
      SITE_FILE,
      '/usr/local/bin/paywatch',
      PROGRAMS,
    ],
    kept: [
      'the Postgres database "paywatch" and its roles',
      `${SETTINGS}, with all secrets`,
      ...(backupFolder === null ? [] : [backupFolder]),
      'the packages of Debian, and the limits of Postgres, Redis and Caddy',
    ],
  };
}
