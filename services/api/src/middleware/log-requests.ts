import { OPERATIONS } from '@paywatch/domain/contract';
import type { Logger } from '@paywatch/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';

/**
 * One line for each request, when its answer has left or its connection is gone. It names the operation's path pattern
 * and never the URL, since donation, overlay and payment tokens in paths are capabilities and API key ids name
 * credentials; no header and no body is logged.
 */
export function logRequests(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger,
    genReqId: (request) => request.context.id,
    customAttributeKeys: { reqId: 'request_id' },
    // The request and response as such never reach a log line: they hold everything that must not be there.
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    serializers: { req: () => null, res: () => null },
    customSuccessObject: (request, response, { responseTime }) => describe(request, response, responseTime),
    customErrorObject: (request, response, _error, { responseTime }) =>
      describe(request, response, responseTime),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  });
}

function describe(request: Request, response: Response, durationMs: number) {
  const { operation, page, caller, errorCode } = request.context;
  return {
    method: request.method,
    path: page ?? (operation === null ? null : OPERATIONS[operation].path),
    status: response.statusCode,
    duration_ms: durationMs,
    ...(response.writableFinished ? {} : { aborted: true }),
    ...(caller === null ? {} : { project_id: String(caller.projectId) }),
    ...(errorCode === null ? {} : { code: errorCode }),
  };
}
