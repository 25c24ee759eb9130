import { SECRETS, SERVICE_UNITS } from '../paths.ts';
import { rootFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';

/** Where Postgres and Redis of this machine listen. */
export const DATABASE = 'paywatch';
export const OWNER = 'paywatch_owner';
const POSTGRES_PORT = 5432;
/** Not 6379: Debian's own Redis, without a password, may be in use there. */
export const REDIS_PORT = 6390;

/** A file for each secret, which only root can read: systemd hands each unit a copy of those that it needs. */
export function secretParts(design: Design): Step[] {
  const files = Object.entries(secretFiles(design));
  return [
    { kind: 'folder', path: SECRETS, mode: 0o700, owner: 'root:root' },
    ...files.map(([name, value]) =>
      rootFile(`${SECRETS}/${name}`, `${value}\n`, { mode: 0o600, isSecret: true, affects: SERVICE_UNITS }),
    ),
  ];
}

/** The content of each file in the folder of secrets. */
function secretFiles({ answers, secrets }: Design): Record<string, string> {
  const { BTC, LTC } = answers.sources;
  const urls = { btc: BTC, ltc: LTC };
  const sources = Object.entries(urls).flatMap(([name, source]) =>
    source === undefined ? [] : [[`${name}_${source.kind}_url`, source.url]],
  );
  return {
    ...secrets,
    owner_url: databaseUrl(OWNER, secrets.owner_password),
    service_url: databaseUrl('paywatch_service', secrets.service_password),
    retention_url: databaseUrl('paywatch_retention', secrets.retention_password),
    redis_url: `redis://:${secrets.redis_password}@127.0.0.1:${REDIS_PORT}/0`,
    ...Object.fromEntries(sources),
    ...(answers.mail === null ? {} : { mail_url: answers.mail.url }),
  };
}

function databaseUrl(role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${POSTGRES_PORT}/${DATABASE}`;
}
