import { OPERATIONS, type Operation } from '@paywatch/domain/contract';
import { flatLogger, type Logger } from '@paywatch/runtime/observability';
import type { Request, RequestHandler, Response } from 'express';

/**
 * One line for each request, when its answer has left or its connection is gone. It names the operation's path pattern
 * and never the URL, since donation, overlay and payment tokens in paths are capabilities and API key ids name
 * credentials; no header and no body is logged.
 */
export function logRequests(logger: Logger): RequestHandler {
  const lines = flatLogger(logger);
  return (request, response, next) => {
    const startedAtMs = performance.now();
    response.on('close', () => {
      lines.info(describe(request, response, performance.now() - startedAtMs), 'request');
    });
    next();
  };
}

function describe(request: Request, response: Response, durationMs: number) {
  const { id, operation, page, caller, errorCode } = request.context;
  const row: Operation | null = operation === null ? null : OPERATIONS[operation];
  // A stream ends when either side wants: nothing of it is missing.
  const isWhole = response.writableFinished || row?.rateLimits.includes('stream') === true;
  return {
    request_id: id,
    method: request.method,
    path: page ?? row?.path ?? null,
    status: response.statusCode,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    ...(isWhole ? {} : { aborted: true }),
    ...(caller === null ? {} : { project_id: String(caller.projectId) }),
    ...(errorCode === null ? {} : { code: errorCode }),
  };
}
