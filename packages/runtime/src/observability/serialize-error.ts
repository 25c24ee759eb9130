import { stdSerializers } from 'pino';

/**
 * Error fields that contain client data: ioredis stores the command (`AUTH` with its password), postgres.js the statement with its
 * parameters, and Postgres quotes rows in `detail` and `where`.
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

/** Fields nested deeper are omitted, since an error may contain itself. */
const MAX_DEPTH = 6;

/**
 * Serializes an error for the log: type, message, stack and its other fields, without client data at any depth. Causes appear only in
 * the message and the stack. The same fields are omitted from values that are not errors.
 */
export function serializeError(error: unknown): unknown {
  return omitFields(error, MAX_DEPTH);
}

function omitFields(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => omitFields(item, depth - 1));
  // `stdSerializers.err` serializes nested errors, but not errors inside plain objects.
  const fields: object = value instanceof Error ? stdSerializers.err(value) : value;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !OMITTED_FIELDS.has(name))
      .map(([name, field]) => [name, omitFields(field, depth - 1)]),
  );
}
