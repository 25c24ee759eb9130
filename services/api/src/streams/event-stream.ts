import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Frame } from './frame.ts';

/**
 * What may wait in a socket, beyond what the system holds for it, when more is to be written to a client that reads too
 * slowly. Past it the client is let go; it can come back and resume.
 */
const MAX_WAITING_BYTES = 128 * 1024;
/** A client that takes nothing for so long while it catches up is gone, whatever its connection says. */
const DRAIN_MS = 30_000;

/**
 * One client of a stream. The headers leave through the response, and so with all that the middleware has set; every
 * message after them is written to the socket as it stands: building each one anew for every client would cost more
 * than sending it.
 */
export class EventStream {
  /** When it has to end, epoch milliseconds; null while that is open. */
  endsAtMs: number | null = null;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #isChunked: boolean;
  readonly #closings: (() => void)[] = [];

  private constructor(response: ServerResponse, socket: Socket, isChunked: boolean) {
    this.#response = response;
    this.#socket = socket;
    this.#isChunked = isChunked;
    // One listener for all: each costs as much as a message, for as long as the stream is open.
    response.once('close', () => {
      for (const onClose of this.#closings) onClose();
    });
  }

  /** Begins the answer. Null where there is nobody to go on with: the client has gone, or asked with HEAD. */
  static open(request: IncomingMessage, response: ServerResponse): EventStream | null {
    const { socket } = response;
    // No socket: the request was pipelined behind another one. No client of event streams does that.
    if (socket === null || socket.destroyed) {
      request.socket.destroy();
      return null;
    }
    const isChunked = request.httpVersion === '1.1';
    response.writeHead(200, {
      ...takeHeaders(response),
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      // nginx and those that follow it would collect the messages before they send them on.
      'X-Accel-Buffering': 'no',
      ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : { Connection: 'close' }),
    });
    if (request.method === 'HEAD') {
      response.end();
      return null;
    }
    response.flushHeaders();
    return new EventStream(response, socket, isChunked);
  }

  /** Calls `onClose` once, whoever ended the stream. */
  onClose(onClose: () => void): void {
    if (this.#socket.destroyed) onClose();
    else this.#closings.push(onClose);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#response.writableEnded;
  }

  /** Sends a message; cuts off a client that does not take them, which costs the others nothing. */
  write(frame: Frame): void {
    if (!this.isOpen) return;
    // Asked before and not after: one message of any size is no reason.
    if (this.#socket.writableLength > MAX_WAITING_BYTES) this.#socket.destroy();
    else this.#socket.write(this.#isChunked ? frame.chunk : frame.plain);
  }

  /** Resolves once the client has taken what was written, or is gone: for those who write much at once. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#socket.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#socket.destroy(), DRAIN_MS);
    this.#socket.once('drain', resolve).once('close', resolve);
    await promise;
    clearTimeout(timer);
    this.#socket.off('drain', resolve).off('close', resolve);
  }

  /** Ends the answer after a last message, and the connection with it: its client shall find another replica. */
  end(last?: Frame): void {
    if (!this.isOpen) return;
    if (last !== undefined) this.write(last);
    this.#response.end();
    this.#socket.destroySoon();
  }
}

/** What the middleware has set. Left in the response it would be held for as long as the stream is open: some 2 KB. */
function takeHeaders(response: ServerResponse): OutgoingHttpHeaders {
  const headers = response.getHeaders();
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  return headers;
}
