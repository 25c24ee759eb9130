import { ConfigError } from '@paywatch/runtime/process';
import { SealingError } from '@paywatch/runtime/security';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';

/** Why a command could not do its work, and what the operator can do. */
export type Failure = { message: string; advice: string | null };

/** A failure that a command foresaw. Its texts never hold a secret. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly advice: string | null;

  constructor(message: string, advice: string | null = null) {
    super(message);
    this.advice = advice;
  }
}

/** What was asked for makes no sense together: exit code 2, as for all that is not understood. */
export class UsageFailure extends CommandFailure {}

/** The failure as it is printed. */
export function failureLines({ message, advice }: Failure): string {
  return advice === null ? `error: ${message}` : `error: ${message}\n${advice}`;
}

/** What to tell of an error that ended a command. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof CommandFailure) return { message: error.message, advice: error.advice };
  if (error instanceof ConfigError) return { message: error.message, advice: null };
  if (error instanceof SealingError) return { message: `ENCRYPTION_KEYS: ${error.message}`, advice: null };
  const message = readMessage(error);
  if (isDatabaseUnavailable(error)) return { message: `DATABASE_URL: ${message}`, advice: DATABASE_ADVICE };
  return { message, advice: SCHEMA_CODES.has(readCode(error)) ? SCHEMA_ADVICE : null };
}

const DATABASE_ADVICE =
  'Is Postgres running, and may this machine reach it? `paywatch doctor` looks at every server.';
const SCHEMA_ADVICE = 'The schema is not that of this release: run `paywatch migrate`.';
/** A table, column or function that is not there. */
const SCHEMA_CODES = new Set(['42P01', '42703', '42883', '3F000']);

/** The message of an error, or of the errors that it stands for: those of several addresses have none of their own. */
export function readMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(readMessage).join('; ');
  if (!(error instanceof Error)) return String(error);
  // fetch says "fetch failed", and why in its cause.
  return error.cause instanceof Error ? readMessage(error.cause) : error.message;
}

function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
