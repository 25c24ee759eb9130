import { currenciesOf, type Answers } from '../answers/answers.ts';
import {
  ADMIN_PORT,
  CURRENT,
  ENVIRONMENT_FILE,
  LOCAL_ENVIRONMENT_FILE,
  RELEASES,
  SERVICE_UNITS,
} from '../paths.ts';
import { rootFile } from '../plan/files.ts';
import type { Design } from '../plan/plan-install.ts';
import type { Step } from '../plan/step.ts';
import {
  exportLines,
  migrationCredentials,
  retentionCredentials,
  commandCredentials,
} from './credentials.ts';

/** The link to the release, which contains a link to its Node, the settings, and the command `paywatch`. */
export function programParts({ answers, facts }: Design): Step[] {
  return [
    { kind: 'link', path: CURRENT, target: `${RELEASES}/${facts.release}` },
    rootFile(ENVIRONMENT_FILE, environment(answers), { affects: SERVICE_UNITS }),
    rootFile('/usr/local/bin/paywatch', wrapper(answers), { mode: 0o755 }),
  ];
}

/** The settings of the services that are no secrets. */
function environment(answers: Answers): string {
  const networks = currenciesOf(answers).map((currency) => `${currency}_NETWORK=${answers.network}`);
  return [
    '# Written by `paywatch install`; your own settings belong into local.env beside it.',
    'NODE_ENV=production',
    `PUBLIC_URL=https://${answers.domain}`,
    'PORT=8080',
    `ADMIN_PORT=${ADMIN_PORT}`,
    // Only Caddy connects to the API, from this machine.
    'TRUSTED_PROXIES=127.0.0.0/8',
    ...networks,
    ...(answers.mail === null ? [] : [`MAIL_FROM="${answers.mail.from}"`]),
    '',
  ].join('\n');
}

/** Runs a command as root with the settings of the services, or with those of another role of Postgres. */
function wrapper(answers: Answers): string {
  return `#!/bin/sh
# Written by \`paywatch install\`: runs a command of the installed release with its settings. Needs root, who can read the secrets.
set -eu
if [ "$(id -u)" -ne 0 ]; then
  echo 'paywatch: run this command as root' >&2
  exit 1
fi
set -a
. ${ENVIRONMENT_FILE}
if [ -e ${LOCAL_ENVIRONMENT_FILE} ]; then . ${LOCAL_ENVIRONMENT_FILE}; fi
set +a
${exportLines(commandCredentials(answers))}
case "\${1:-}\${2:+ $2}" in
  'migrate'*)
${exportLines(migrationCredentials())}
${MIGRATION_ROLES.map((role) => `export ${role}`).join('\n')} ;;
  'audit prune')
${exportLines(retentionCredentials())} ;;
esac
exec ${CURRENT}/node/bin/node ${CURRENT}/bundles/cli.mjs "$@"
`;
}

/** The names of the roles that \`migrate\` creates. */
export const MIGRATION_ROLES = [
  'DATABASE_SERVICE_ROLE=paywatch_service',
  'DATABASE_RETENTION_ROLE=paywatch_retention',
  'DATABASE_READ_ROLE=paywatch_read',
];
