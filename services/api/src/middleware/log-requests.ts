import { OPERATIONS } from '@paywatch/domain/contract';
import type { Logger } from '@paywatch/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';

/**
 * One line for each request. It names the operation's path pattern and never the URL, since donation, overlay and
 * payment tokens in paths are capabilities and API key ids name credentials; no header and no body is logged.
 */
export function logRequests(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger,
    quietReqLogger: true,
    wrapSerializers: false,
    genReqId: (request) => request.context.id,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
    customLogLevel: () => 'info',
    // In place of the library's own line, which holds URL, headers and address.
    customSuccessObject: describe,
    customErrorObject: (request, response, _error, line: Line) => describe(request, response, line),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  });
}

type Line = { duration_ms: number };

function describe(request: Request, response: Response, { duration_ms }: Line) {
  const { operation, caller, errorCode } = request.context;
  return {
    method: request.method,
    path: operation === null ? null : OPERATIONS[operation].path,
    status: response.statusCode,
    duration_ms,
    ...(response.writableFinished ? {} : { aborted: true }),
    ...(caller === null ? {} : { project_id: String(caller.projectId) }),
    ...(errorCode === null ? {} : { code: errorCode }),
  };
}
