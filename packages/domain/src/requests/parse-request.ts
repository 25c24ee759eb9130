import type { z } from 'zod';
import { AppError } from './app-error.ts';
import { validate, type RequestPart } from '../contract/validation.ts';
import type { ErrorCode } from './error-codes.ts';

/**
 * Parses a JSON body that Express has read. An absent body is parsed as `{}`, so that operations without required fields work
 * without one, and the others report the missing fields. Throws AppError `validation_error`.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return parsePart('body', schema, body === undefined ? {} : body);
}

/** Parses the query, one string for each parameter. Throws AppError `validation_error`. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  return parsePart('query', schema, query);
}

/**
 * Parses the path parameters. Throws AppError `unknownParam` if it is given, so that a malformed identifier gets the same
 * answer as an unknown one; otherwise `validation_error`.
 */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
  unknownParam?: ErrorCode,
): z.output<Schema> {
  if (unknownParam === undefined) return parsePart('path', schema, params);
  const validated = validate('path', schema, params);
  if (!validated.ok) throw new AppError(unknownParam);
  return validated.value;
}

/** Parses the headers of the schema, case-insensitively. Throws AppError `validation_error`. */
export function parseHeaders<Schema extends z.ZodObject>(
  schema: Schema,
  headers: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const named = Object.keys(schema.shape)
    .map((name) => [name, headers[name.toLowerCase()]] as const)
    .filter(([, value]) => value !== undefined);
  return parsePart('header', schema, Object.fromEntries(named));
}

function parsePart<Schema extends z.ZodType>(
  part: RequestPart,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const validated = validate(part, schema, value);
  if (!validated.ok) throw new AppError('validation_error', undefined, { errors: validated.errors });
  return validated.value;
}
