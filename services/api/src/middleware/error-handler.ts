import { errorStatus } from '@paywatch/domain/contract';
import { AppError, problemBody } from '@paywatch/domain/requests';
import type { Logger } from '@paywatch/runtime/observability';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';
import type { ErrorRequestHandler, Request, Response } from 'express';

const DATABASE_RETRY_SECONDS = 2;

/** Answers every error with a problem (RFC 9457), and logs server errors. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const error = recordError(logger, request, thrown);
    // The response has begun: Express's default handler closes the connection.
    if (response.headersSent) next(thrown);
    else sendProblem(response, error, request.context.id);
  };
}

/** Converts a thrown value to an AppError, records its code in the request's context, and logs it if it is a server error. */
export function recordError(logger: Logger, request: Request, thrown: unknown): AppError {
  const error = toAppError(thrown);
  const { context } = request;
  context.errorCode = error.code;
  if (errorStatus(error.code) >= 500) {
    logger.error(
      {
        request_id: context.id,
        operation: context.operation,
        code: error.code,
        error: describeError(error.internal),
      },
      'request failed',
    );
  }
  return error;
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // Express throws it for a path with invalid percent-encoding.
  if (thrown instanceof URIError) return new AppError('not_found');
  if (isDatabaseUnavailable(thrown)) {
    return new AppError('service_unavailable', undefined, {
      internal: thrown,
      retryAfterSeconds: DATABASE_RETRY_SECONDS,
    });
  }
  return new AppError('internal_error', undefined, { internal: thrown });
}

function sendProblem(response: Response, error: AppError, requestId: string): void {
  const status = errorStatus(error.code);
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(error.retryAfterSeconds));
  // RFC 9110 requires a challenge with every 401. Browsers show no login dialog for this scheme.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="paywatch"');
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify(problemBody(error, requestId)));
}

/**
 * Describes an error for the log. Messages and details of database errors quote values of the statement, which may be emails, keys or
 * tokens, so only code and constraint are kept.
 */
function describeError(error: unknown): Record<string, unknown> | null {
  if (!(error instanceof Error)) return error === undefined ? null : { type: typeof error };
  const isDatabaseError = 'query' in error || 'severity' in error;
  return {
    type: error.name,
    ...(isDatabaseError ? {} : { message: error.message }),
    ...('code' in error ? { code: error.code } : {}),
    ...('constraint_name' in error ? { constraint: error.constraint_name } : {}),
    stack: framesOf(error),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** The stack without its first lines, which contain the message. */
function framesOf(error: Error): string[] {
  return (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
}
