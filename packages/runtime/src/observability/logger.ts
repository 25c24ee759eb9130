import { pino, type DestinationStream, type Logger } from 'pino';
import { serializeError } from './serialize-error.ts';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'password',
  'token',
  'secret',
  'xpub',
  'authorization',
  'cookie',
  'x-api-key',
  'session_token',
  'current_password',
  'new_password',
];

/**
 * Creates a logger that writes JSON lines to standard output. It redacts secret fields down to the third level. This is the second line
 * of defence; the first is not to log bodies, headers or capability URLs. Errors logged as `err` lose their client data.
 */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const paths = SECRET_FIELDS.flatMap((name) =>
    ['', '*.', '*.*.'].map((depth) => `${depth}["${name}"]`.replace('.[', '[')),
  );
  const settings = {
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths, censor: '[redacted]' },
    serializers: { err: serializeError },
  };
  return pino(settings, options.destination ?? (output ??= standardOutput()));
}

/**
 * Returns a logger for lines without nested fields, which redacts the first level only. Deeper redaction costs more than the rest of a
 * line, and the API logs one line per request.
 */
export function flatLogger(logger: Logger): Logger {
  return logger.child(
    {},
    { redact: { paths: SECRET_FIELDS.map((name) => `["${name}"]`), censor: '[redacted]' } },
  );
}

/** Shared by all loggers of the process, so that their lines keep their order. */
let output: DestinationStream | undefined;

/** Writes all lines of one turn of the event loop with one call, and the rest when the process exits. */
function standardOutput(): DestinationStream {
  const stdout = pino.destination({ fd: 1, sync: true });
  let pending = '';
  const flush = (): void => {
    const lines = pending;
    pending = '';
    if (lines !== '') stdout.write(lines);
  };
  process.on('exit', flush);
  return {
    write: (line) => {
      if (pending === '') setImmediate(flush);
      pending += line;
    },
  };
}
