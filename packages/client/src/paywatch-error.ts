import type { FieldError } from './schemas.ts';

/** The fields of an error response. */
export type Problem = {
  /** The HTTP status. */
  readonly status: number;
  /** The error code to branch on; `http_502` or similar if a proxy answered. */
  readonly code: string;
  readonly detail: string;
  /** Quote this id when you report a problem. */
  readonly requestId: string | null;
  /** The invalid fields with their messages; only for `validation_error`. */
  readonly errors: readonly FieldError[];
  /** The Retry-After header of the response. */
  readonly retryAfterSeconds: number | null;
  /** The challenge for `account.verifyLogin`; only for `second_factor_required`. */
  readonly challenge: string | null;
};

/**
 * An error response of Paywatch. Each code has a subclass (`invoice_not_found`: `InvoiceNotFoundError`); codes unknown
 * to this version use this class.
 */
export class PaywatchError extends Error implements Problem {
  declare readonly status: number;
  declare readonly code: string;
  declare readonly detail: string;
  declare readonly requestId: string | null;
  declare readonly errors: readonly FieldError[];
  declare readonly retryAfterSeconds: number | null;
  declare readonly challenge: string | null;

  constructor(problem: Problem) {
    super([problem.detail, ...problem.errors.map(({ path, message }) => `${path}: ${message}`)].join(' '));
    this.name = errorNameOf(problem.code);
    Object.assign(this, problem);
  }
}

/** The class of one error code, for `instanceof`. */
export type ErrorClass<Code extends string> = new (
  problem: Problem,
) => PaywatchError & { readonly code: Code };

const CLASSES = new Map<string, typeof PaywatchError>();

/**
 * Creates and registers the class of an error code by its name. Written out, the classes would be a tenth of the package; and the
 * name compresses better than the code, because the class is exported by it.
 */
export function errorClass<Code extends string>(name: string): ErrorClass<Code> {
  const made = class extends PaywatchError {};
  CLASSES.set(name, made);
  return made as unknown as ErrorClass<Code>;
}

/** Creates the error for a problem, of the class of its code. */
export function errorOfProblem(problem: Problem): PaywatchError {
  return new (CLASSES.get(errorNameOf(problem.code)) ?? PaywatchError)(problem);
}

/** No response arrived, or not in time. The request may or may not have been carried out. */
export class PaywatchConnectionError extends Error {
  override readonly name = 'PaywatchConnectionError';
}

/** The class name for an error code. Computed, since a minifier changes the classes' own names. Pure. */
export function errorNameOf(code: string): string {
  const words = `_${code.replace(/_error$/, '')}_error`;
  return words.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}
