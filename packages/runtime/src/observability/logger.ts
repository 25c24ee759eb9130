import { pino, type DestinationStream, type Logger } from 'pino';
import { serializeError } from './log-errors.ts';

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
 * JSON lines on standard output. Fields that carry secrets are removed at any depth that we log (three), as a second
 * line of defence: the first is never to log bodies, headers or capability URLs. Errors, as `err`, lose what a client sent.
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
 * The same logger for lines whose fields lie side by side, none within another: secrets are looked for where they could be. To
 * look deeper costs more than the rest of a line, and an API writes one for each request.
 */
export function flatLogger(logger: Logger): Logger {
  return logger.child(
    {},
    { redact: { paths: SECRET_FIELDS.map((name) => `["${name}"]`), censor: '[redacted]' } },
  );
}

/** One for all loggers of the process, whose lines leave in the order in which they were written. */
let output: DestinationStream | undefined;

/** Writes the lines of one turn of the event loop at once. What is held when the process exits is written first. */
function standardOutput(): DestinationStream {
  const stdout = pino.destination({ fd: 1, sync: true });
  let held = '';
  const flush = (): void => {
    const lines = held;
    held = '';
    if (lines !== '') stdout.write(lines);
  };
  process.on('exit', flush);
  return {
    write: (line) => {
      if (held === '') setImmediate(flush);
      held += line;
    },
  };
}
