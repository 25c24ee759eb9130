import { ConfigError } from '@paywatch/runtime/process';
import { SealingError } from '@paywatch/runtime/security';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';

/** Why a command failed, and what the operator can do. */
export type Failure = { message: string; advice: string | null };

/** An expected failure of a command. Its texts contain no secrets. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly advice: string | null;

  constructor(message: string, advice: string | null = null) {
    super(message);
    this.advice = advice;
  }
}

/** An invalid combination of options: exit code 2. */
export class UsageFailure extends CommandFailure {}

/** Formats a failure for the terminal. */
export function failureLines({ message, advice }: Failure): string {
  return advice === null ? `error: ${message}` : `error: ${message}\n${advice}`;
}

/** Describes an error that ended a command. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof CommandFailure) return { message: error.message, advice: error.advice };
  if (error instanceof ConfigError) return { message: error.message, advice: null };
  if (error instanceof SealingError) return { message: `ENCRYPTION_KEYS: ${error.message}`, advice: null };
  const message = readMessage(error);
  if (isDatabaseUnavailable(error)) return { message: `DATABASE_URL: ${message}`, advice: DATABASE_ADVICE };
  return { message, advice: SCHEMA_CODES.has(readCode(error)) ? SCHEMA_ADVICE : null };
}

const DATABASE_ADVICE =
  'Check that Postgres is running and reachable from this machine. `paywatch doctor` checks every server.';
const SCHEMA_ADVICE = 'The schema does not match this release. Run `paywatch migrate`.';
/** Missing table, column, function or schema. */
const SCHEMA_CODES = new Set(['42P01', '42703', '42883', '3F000']);

/** The message of an error. An AggregateError without a message, such as a refused connection, lists its errors. */
export function readMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(readMessage).join('; ');
  if (!(error instanceof Error)) return String(error);
  // fetch only reports "fetch failed"; the cause has the reason.
  return error.cause instanceof Error ? readMessage(error.cause) : error.message;
}

function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
