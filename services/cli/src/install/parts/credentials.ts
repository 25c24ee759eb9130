import { currenciesOf, type Answers } from '../answers/answers.ts';
import { SECRETS } from '../paths.ts';

/** A variable whose value is a secret, and the file that contains it. */
type Credential = readonly [variable: string, file: string];

const OWNER_CREDENTIALS: readonly Credential[] = [
  ['DATABASE_URL', 'owner_url'],
  ['DATABASE_SERVICE_PASSWORD', 'service_password'],
  ['DATABASE_RETENTION_PASSWORD', 'retention_password'],
  ['DATABASE_READ_PASSWORD', 'read_password'],
];

const OPERATOR_CODE: Credential = ['OPERATOR_CODE', 'operator_code'];

/** A process of Paywatch. */
export type Role = 'api' | 'watcher' | 'webhook-worker';

/** The variables of one process: only the API and the workers open sealed secrets, workers read no chain, and only the API registers. */
export function roleCredentials(answers: Answers, role: Role): Credential[] {
  return [
    ['DATABASE_URL', 'service_url'],
    ['REDIS_URL', 'redis_url'],
    ...(role === 'watcher' ? [] : sealedCredentials(answers)),
    ...(role === 'api' ? [OPERATOR_CODE] : []),
    ...(role === 'webhook-worker' ? [] : sourceCredentials(answers)),
  ];
}

/** The variables of commands that the operator runs: those of every process. */
export function commandCredentials(answers: Answers): Credential[] {
  return [...roleCredentials(answers, 'watcher'), ...sealedCredentials(answers)];
}

function sealedCredentials(answers: Answers): Credential[] {
  const mail: Credential = ['MAIL_URL', 'mail_url'];
  return [['ENCRYPTION_KEYS', 'encryption_keys'], ...(answers.mail === null ? [] : [mail])];
}

function sourceCredentials(answers: Answers): Credential[] {
  return currenciesOf(answers).map((currency) => {
    const kind = answers.sources[currency]?.kind ?? 'node';
    return [`${currency}_${kind.toUpperCase()}_URL`, `${currency.toLowerCase()}_${kind}_url`];
  });
}

/** The variables of `paywatch migrate`. */
export const migrationCredentials = (): readonly Credential[] => OWNER_CREDENTIALS;

/** The variables of `paywatch audit prune`. */
export const retentionCredentials = (): readonly Credential[] => [['DATABASE_URL', 'retention_url']];

/** Lines of a unit: systemd copies each file into a folder that only this unit can read. */
export function credentialLines(credentials: readonly Credential[]): string {
  return credentials
    .map(
      ([variable, file]) =>
        `LoadCredential=${file}:${SECRETS}/${file}\nEnvironment=${variable}_FILE=%d/${file}`,
    )
    .join('\n');
}

/** Lines of a shell script that root runs. */
export function exportLines(credentials: readonly Credential[]): string {
  return credentials.map(([variable, file]) => `export ${variable}_FILE=${SECRETS}/${file}`).join('\n');
}
