import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import type { FieldError, LoginChallenge, ProblemBody } from '../contract/problem.ts';

/** Optional data of an expected error besides its code and public message. */
export interface AppErrorOptions {
  /** For the log only: the actual cause or the caught error. Never put a secret here. */
  readonly internal?: unknown;
  /** For `validation_error`: each field and what is wrong with it. */
  readonly errors?: readonly FieldError[];
  /** For `second_factor_required`. */
  readonly loginChallenge?: LoginChallenge;
  /** Seconds until a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/**
 * An expected failure that is reported to the caller with a code of the error table. The message is public: it becomes `detail`
 * of the response. Only the API maps codes to HTTP.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly internal: unknown;
  readonly errors: readonly FieldError[] | undefined;
  readonly loginChallenge: LoginChallenge | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    publicMessage: string = ERROR_CODES[code].description,
    { internal, errors, loginChallenge, retryAfterSeconds }: AppErrorOptions = {},
  ) {
    super(publicMessage, internal === undefined ? undefined : { cause: internal });
    this.code = code;
    this.internal = internal;
    this.errors = errors;
    this.loginChallenge = loginChallenge;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The `application/problem+json` body (RFC 9457) of an error. Pure; `internal` never reaches it.
 * `type` is a reference relative to the API's own host: its documentation page lists every code.
 */
export function problemBody(error: AppError, requestId: string): ProblemBody {
  const { status, title } = ERROR_CODES[error.code];
  return {
    type: `/docs#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.loginChallenge === undefined ? {} : { second_factor: error.loginChallenge }),
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
}
