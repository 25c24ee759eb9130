import type { FieldError } from './schemas.ts';

/** What an answer said about a failure. */
export type Problem = {
  /** The HTTP status. */
  readonly status: number;
  /** What to decide by; `http_502` and the like where something before Paywatch answered. */
  readonly code: string;
  readonly detail: string;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** Each invalid field and what is wrong with it; empty but for `validation_error`. */
  readonly errors: readonly FieldError[];
  /** When a retry makes sense, where the answer said so. */
  readonly retryAfterSeconds: number | null;
};

/**
 * A request that Paywatch refused. Each code has a class of its own (`invoice_not_found`: `InvoiceNotFoundError`);
 * a code that this version does not know is this class.
 */
export class PaywatchError extends Error implements Problem {
  declare readonly status: number;
  declare readonly code: string;
  declare readonly detail: string;
  declare readonly requestId: string | null;
  declare readonly errors: readonly FieldError[];
  declare readonly retryAfterSeconds: number | null;

  constructor(problem: Problem) {
    super([problem.detail, ...problem.errors.map(({ path, message }) => `${path}: ${message}`)].join(' '));
    this.name = errorNameOf(problem.code);
    Object.assign(this, problem);
  }
}

/** The class of one code, so that `instanceof` tells which it was. */
export type ErrorClass<Code extends string> = new (
  problem: Problem,
) => PaywatchError & { readonly code: Code };

const CLASSES = new Map<string, typeof PaywatchError>();

/** Makes the class of a code, once, and lets `errorOfProblem` know it. 26 classes written out would be a tenth of the package. */
export function errorClass<const Code extends string>(code: Code): ErrorClass<Code> {
  const made = class extends PaywatchError {};
  CLASSES.set(code, made);
  return made as unknown as ErrorClass<Code>;
}

/** The error that an answer means, of the class of its code. */
export function errorOfProblem(problem: Problem): PaywatchError {
  return new (CLASSES.get(problem.code) ?? PaywatchError)(problem);
}

/** No answer came: no connection, or not in time. Whether the request was carried out is not known. */
export class PaywatchConnectionError extends Error {
  override readonly name = 'PaywatchConnectionError';
}

/** How the class of a code is called; a minifier changes the name that the class itself carries. Pure. */
export function errorNameOf(code: string): string {
  const words = `_${code.replace(/_error$/, '')}_error`;
  return words.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}
