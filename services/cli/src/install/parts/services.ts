import {
  ADMIN_PORT,
  CURRENT,
  ENVIRONMENT_FILE,
  LOCAL_ENVIRONMENT_FILE,
  SCRIPTS,
  SERVICE_UNITS,
} from '../paths.ts';
import { rootFile, unitFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';
import {
  credentialLines,
  migrationCredentials,
  retentionCredentials,
  roleCredentials,
  type Role,
} from './credentials.ts';
import { MIGRATION_ROLES } from './program.ts';
import { SANDBOX } from './sandbox.ts';
import { WATCHDOG_SCRIPT } from './watchdog.ts';
import { POSTGRES_OF_DEBIAN } from '../machine/facts.ts';

/** The units of all processes, of the migration, and of what runs by the clock. */
export function serviceParts(design: Design): Step[] {
  const { api, watcher, webhookWorker } = design.memory;
  return [
    rootFile('/etc/systemd/journald.conf.d/paywatch.conf', JOURNAL, { affects: ['systemd-journald'] }),
    { kind: 'folder', path: SCRIPTS, mode: 0o755, owner: 'root:root' },
    rootFile(`${SCRIPTS}/watchdog`, WATCHDOG_SCRIPT, { mode: 0o755 }),
    unitFile('paywatch-migrate.service', migration(design), []),
    service(design, { name: 'paywatch-watcher', role: 'watcher', address: '127.0.0.3', memory: watcher }),
    service(design, {
      name: 'paywatch-webhook-worker',
      role: 'webhook-worker',
      address: '127.0.0.4',
      memory: webhookWorker,
    }),
    service(design, { name: 'paywatch-api@', role: 'api', address: '127.0.0.%i', memory: api }),
    ...timer('paywatch-watchdog', 'OnBootSec=3min\nOnUnitActiveSec=1min', watchdog()),
    ...timer('paywatch-retention', 'OnCalendar=daily\nRandomizedDelaySec=1h\nPersistent=true', retention()),
    ...['paywatch-migrate', ...SERVICE_UNITS].map((name): Step => ({ kind: 'unit', name })),
    { kind: 'unit', name: 'paywatch-watchdog.timer' },
    { kind: 'unit', name: 'paywatch-retention.timer' },
  ];
}

const JOURNAL = '# Written by `paywatch install`.\n[Journal]\nSystemMaxUse=1G\nMaxRetentionSec=30day\n';

type Service = { name: string; role: Role; address: string; memory: number };

function service(design: Design, { name, role, address, memory }: Service): Step {
  const content = `[Unit]
Description=Paywatch ${role}
Documentation=file:${CURRENT}
Wants=network-online.target paywatch-migrate.service
After=network-online.target ${serversOf(design)} paywatch-migrate.service
StartLimitIntervalSec=0

[Service]
ExecStart=${program(role)}
User=paywatch
Environment=HOST=${address} ADMIN_HOST=${address}
EnvironmentFile=${ENVIRONMENT_FILE}
EnvironmentFile=-${LOCAL_ENVIRONMENT_FILE}
${credentialLines(roleCredentials(design.answers, role))}
Restart=always
RestartSec=2s
TimeoutStopSec=40s
MemoryMax=${memory}M
${SANDBOX}
[Install]
WantedBy=multi-user.target
`;
  const affected = SERVICE_UNITS.filter((unit) => unit.startsWith(name));
  return unitFile(`${name}.service`, content, affected);
}

function program(role: string): string {
  return `${CURRENT}/node/bin/node ${CURRENT}/infra/image/start.mjs ${role}`;
}

function serversOf({ facts }: Design): string {
  return `postgresql@${POSTGRES_OF_DEBIAN[facts.debian]}-main.service redis-server@paywatch.service`;
}

/** Runs before the services at every boot; it changes nothing if the schema is up to date. */
function migration(design: Design): string {
  return `[Unit]
Description=Paywatch database schema
After=${serversOf(design)}

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${program('migrate')}
User=paywatch
${MIGRATION_ROLES.map((role) => `Environment=${role}`).join('\n')}
EnvironmentFile=${ENVIRONMENT_FILE}
${credentialLines(migrationCredentials())}
TimeoutStartSec=1h
MemoryMax=512M
${SANDBOX}
[Install]
WantedBy=multi-user.target
`;
}

function retention(): string {
  return `[Unit]
Description=Paywatch retention of the audit log

[Service]
Type=oneshot
ExecStart=${program('audit')} prune
User=paywatch
EnvironmentFile=${ENVIRONMENT_FILE}
${credentialLines(retentionCredentials())}
MemoryMax=512M
${SANDBOX}`;
}

function watchdog(): string {
  return `[Unit]
Description=Restart processes of Paywatch that do not respond

[Service]
Type=oneshot
ExecStart=${SCRIPTS}/watchdog ${ADMIN_PORT}
ProtectSystem=strict
ProtectHome=yes
NoNewPrivileges=yes
PrivateTmp=yes
`;
}

/** A service that a timer starts. */
export function timer(name: string, schedule: string, content: string): Step[] {
  const text = `[Unit]\nDescription=Timer of ${name}\n\n[Timer]\n${schedule}\n\n[Install]\nWantedBy=timers.target\n`;
  return [unitFile(`${name}.service`, content), unitFile(`${name}.timer`, text, [`${name}.timer`])];
}
