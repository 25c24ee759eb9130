import { pino, type DestinationStream, type Logger } from 'pino';

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
 * line of defence: the first is never to log bodies, headers or capability URLs.
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
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
