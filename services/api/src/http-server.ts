import { errorStatus } from '@paywatch/domain/contract';
import { AppError, problemBody } from '@paywatch/domain/requests';
import { randomToken } from '@paywatch/runtime/security';
import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Creates the HTTP server of the API. Errors that Node.js would send without a body get a problem document (RFC 9457). */
export function createHttpServer(app: RequestListener): Server {
  // The Host header is not used.
  const server = createServer({ requireHostHeader: false }, app);
  // Longer than the idle timeout of load balancers: if the server closed a connection first, a request could be lost.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 30_000;
  server.on('checkExpectation', app);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => sendClientError(error, socket));
  return server;
}

/** Answers bytes that are not valid HTTP. Closes the connection of a client that is gone or too slow. */
function sendClientError({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET' || code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.destroy();
    return;
  }
  const error =
    code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('payload_too_large', 'The headers of the request are larger than 16 KiB.')
      : new AppError('validation_error', 'The request is not valid HTTP.');
  const id = `req_${randomToken(12)}`;
  const body = JSON.stringify(problemBody(error, id));
  const status = errorStatus(error.code);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
