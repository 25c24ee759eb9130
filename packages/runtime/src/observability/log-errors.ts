import { stdSerializers } from 'pino';

/**
 * Fields of errors that hold what a client sent: ioredis keeps the command (`AUTH` with its password), postgres.js the statement with
 * its parameters, and Postgres quotes rows in `detail` and `where`.
 */
const OMITTED_FIELDS: ReadonlySet<string> = new Set([
  'command',
  'previousErrors',
  'raw',
  'detail',
  'where',
  'parameters',
  'args',
  'query',
]);

/** Deeper fields are left out: an error may contain itself. */
const MOST_DEPTH = 6;

/**
 * What a log line says of an error: type, message, stack and its other fields, without those that hold what a client sent, at any depth.
 * Causes appear in the message and the stack alone. Values that are not errors lose the same fields.
 */
export function serializeError(error: unknown): unknown {
  return omitFields(error, MOST_DEPTH);
}

function omitFields(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => omitFields(item, depth - 1));
  // `stdSerializers.err` turns errors within errors into plain objects, but not those within other objects.
  const fields: object = value instanceof Error ? stdSerializers.err(value) : value;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !OMITTED_FIELDS.has(name))
      .map(([name, field]) => [name, omitFields(field, depth - 1)]),
  );
}
