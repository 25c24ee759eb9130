import { errorStatus } from '@paywatch/domain/contract';
import { AppError, problemBody } from '@paywatch/domain/requests';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';
import type { ErrorRequestHandler, Request, Response } from 'express';

const DATABASE_RETRY_SECONDS = 2;

/** Answers every error with a problem (RFC 9457). */
export const errorHandler: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
  const error = recordError(request, response, thrown);
  // The response has begun: Express's default handler closes the connection.
  if (response.headersSent) next(thrown);
  else sendProblem(response, error, request.context.id);
};

/** Converts a thrown value to an AppError, and records it for request-log.ts: its code, and the error itself if it is a server error. */
export function recordError(request: Request, response: Response, thrown: unknown): AppError {
  const error = toAppError(thrown);
  request.context.errorCode = error.code;
  if (errorStatus(error.code) >= 500) response.err = error;
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
