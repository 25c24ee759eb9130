import { OPERATIONS, type Operation } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { flatLogger, type Logger } from '@paywatch/runtime/observability';
import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';

/**
 * Logs every request when its response is finished or its connection is closed, and sets `request.log`. A line contains the path pattern
 * and never the URL: tokens of donation links, overlays and payments are capabilities, and ids of API keys identify credentials. No header
 * and no body is logged. Requires `requestContext`.
 */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    // Redacts the first level only, which is cheaper: log flat fields with `request.log`.
    logger: flatLogger(logger),
    genReqId: (request) => request.context.id,
    wrapSerializers: false,
    // pino-http would otherwise log the URL, headers and client address. Of a request, its lines have the id only.
    customAttributeKeys: { req: 'request_id', responseTime: 'duration_ms' },
    serializers: { request_id: ({ context }: Request) => context.id },
    customLogLevel: (_request, response) => levelOf(response),
    customSuccessObject: requestFields,
    customErrorObject: (request, response, _error, value: Timing) => ({
      ...requestFields(request, response, value),
      error: describeError(response.err instanceof AppError ? response.err.internal : response.err),
    }),
    customSuccessMessage: (request, response) =>
      isComplete(request, response) ? 'request completed' : 'request aborted',
    customErrorMessage: () => 'request failed',
  });
}

type Timing = { duration_ms: number };

function levelOf({ statusCode, err }: Response): 'info' | 'warn' | 'error' {
  if (statusCode >= 500 || err !== undefined) return 'error';
  return statusCode >= 400 ? 'warn' : 'info';
}

function requestFields(request: Request, response: Response, { duration_ms: durationMs }: Timing) {
  const { page, caller, errorCode } = request.context;
  return {
    method: request.method,
    path: page ?? operationOf(request)?.path ?? null,
    status: response.statusCode,
    duration_ms: durationMs,
    ...(isComplete(request, response) ? {} : { aborted: true }),
    ...(caller === null ? {} : { project_id: String(caller.projectId) }),
    ...(errorCode === null ? {} : { code: errorCode }),
  };
}

/** A stream ends when either side closes it, so it is never aborted. */
function isComplete(request: Request, response: Response): boolean {
  return response.writableFinished || operationOf(request)?.rateLimits.includes('stream') === true;
}

function operationOf({ context }: Request): Operation | null {
  return context.operation === null ? null : OPERATIONS[context.operation];
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
