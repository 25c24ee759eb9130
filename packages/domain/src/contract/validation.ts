import type { z } from 'zod';
import type { FieldError } from './problem.ts';

/** The parts of a request, as `errors[].path` names them. */
export type RequestPart = 'body' | 'path' | 'query' | 'header';

/** A parsed value, or what is wrong with it, field by field. */
export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Parses one part of a request. Every error names its field and limit, and never repeats the value, which may be a secret.
 * Reports at most 20 errors. Pure.
 */
export function validate<Schema extends z.ZodType>(
  part: RequestPart,
  schema: Schema,
  value: unknown,
): Validated<z.output<Schema>> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors = parsed.error.issues.flatMap((issue) => fieldErrors(part, issue));
  return { ok: false, errors: errors.slice(0, MAX_ERRORS) };
}

// A body of 64 KiB holds thousands of unknown fields; the response should not be longer than the request.
const MAX_ERRORS = 20;

function fieldErrors(part: RequestPart, issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(part, issue.path), message: issue.message }];
  return issue.keys.slice(0, MAX_ERRORS).map((key) => ({
    path: pathOf(part, [...issue.path, key]),
    message: UNKNOWN_FIELD[part],
  }));
}

const UNKNOWN_FIELD = {
  body: 'Is not a field of this request.',
  path: 'Is not a parameter of this operation.',
  query: 'Is not a parameter of this operation.',
  header: 'Is not a header of this operation.',
} as const;

function pathOf(part: RequestPart, path: readonly PropertyKey[]): string {
  return [part, ...path.map((step) => nameOf(String(step)))].join('.');
}

// Names of unknown fields come from the caller, who may have pasted anything as one.
function nameOf(step: string): string {
  return FIELD_NAME.test(step) ? step : '(unprintable)';
}

const FIELD_NAME = /^[A-Za-z0-9_-]{1,40}$/;

/** Says what the rule is, in the words of JSON. Messages of the schemas themselves come before this one. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'Is required.';
  if (issue.code === 'invalid_type') return `Must be ${TYPE_NAMES[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'invalid_value') return describeChoice(issue.values.map(String));
  if (issue.code === 'too_small') return `Must be at least ${issue.minimum}.`;
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}.`;
  return 'Is not valid.';
}

function describeChoice(values: readonly string[]): string {
  return values.length === 1 ? `Must be ${values.join()}.` : `Must be one of ${values.join(', ')}.`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
};
