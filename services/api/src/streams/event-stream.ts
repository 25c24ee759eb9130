import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { plainOf, type Frame } from './frame.ts';

/**
 * What may wait in a socket, beyond what the system holds for it, when more is to be written to a client that reads too
 * slowly. Past it the client is let go; it can come back and resume.
 */
const MAX_WAITING_BYTES = 128 * 1024;
/** A client that takes nothing for so long while it catches up is gone, whatever its connection says. */
const DRAIN_MS = 30_000;

/** The last chunk (RFC 9112, section 7.1). */
const NO_MORE = '0\r\n\r\n';

/**
 * One client of a stream. All of it, its head included, is written to the socket as it stands: building each message anew
 * for every client would cost more than sending it, and the response object would hold what it has sent for as long as the
 * stream is open.
 */
export class EventStream {
  /** When it has to end, epoch milliseconds; null while that is open. */
  endsAtMs: number | null = null;
  /** How far its client is; see stream-kind.ts. */
  position = 0;
  readonly #socket: Socket;
  readonly #isChunked: boolean;
  #closings: readonly (() => void)[] = [];

  private constructor(response: ServerResponse, socket: Socket, isChunked: boolean) {
    this.#socket = socket;
    this.#isChunked = isChunked;
    // One listener for all: each costs as much as a message, for as long as the stream is open.
    response.on('close', () => {
      for (const onClose of this.#closings) onClose();
    });
  }

  /** Begins the answer at `nowMs`. Null where there is nobody to go on with: the client has gone, or asked with HEAD. */
  static open(request: IncomingMessage, response: ServerResponse, nowMs: number): EventStream | null {
    const { socket } = response;
    // No socket: the request was pipelined behind another one. No client of event streams does that.
    if (socket === null || socket.destroyed) {
      request.socket.destroy();
      return null;
    }
    const isChunked = request.httpVersion === '1.1';
    const headers = headersOf(response, isChunked);
    if (request.method === 'HEAD') {
      response.writeHead(200, headers).end();
      return null;
    }
    // The first messages follow in the same turn, and leave with it.
    socket.cork();
    process.nextTick(() => socket.uncork());
    socket.write(headOf({ date: new Date(nowMs).toUTCString(), ...headers }), 'latin1');
    letGo(request, response);
    return new EventStream(response, socket, isChunked);
  }

  /** Calls `onClose` once, whoever ended the stream. */
  onClose(onClose: () => void): void {
    if (this.#socket.destroyed) onClose();
    // Neither pushed nor spread: an array that grows makes room for 16 more.
    else this.#closings = this.#closings.concat(onClose);
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Sends a message; cuts off a client that does not take them, which costs the others nothing. */
  write(frame: Frame): void {
    if (!this.isOpen) return;
    // Asked before and not after: one message of any size is no reason.
    if (this.#socket.writableLength > MAX_WAITING_BYTES) this.#socket.destroy();
    else this.#socket.write(this.#bytesOf(frame));
  }

  #bytesOf(frame: Frame): Buffer {
    const bytes = this.#isChunked ? frame.chunk : plainOf(frame);
    // What leaves at once needs no copy. What waits shall hold no more memory than is counted.
    return frame.isPart && this.#socket.writableLength > 0 ? Buffer.from(bytes) : bytes;
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
    if (last !== undefined) this.write(last);
    if (!this.isOpen) return;
    if (this.#isChunked) this.#socket.write(NO_MORE);
    this.#socket.destroySoon();
  }
}

/** What the middleware has set, and what makes the answer a stream. */
function headersOf(response: ServerResponse, isChunked: boolean): OutgoingHttpHeaders {
  return {
    ...response.getHeaders(),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    // nginx and those that follow it would collect the messages before they send them on.
    'x-accel-buffering': 'no',
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { connection: 'close' }),
  };
}

function headOf(headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}

const NOTHING = Object.freeze({});

/**
 * Lets go of what nobody needs once the answer has begun, and Node and Express would hold for as long as the stream is open:
 * the headers of both sides, the address, and what Express would go on with. That is more than all that a stream needs.
 */
function letGo(request: IncomingMessage, response: ServerResponse): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  // Set and not deleted: an object that has lost a property takes five times as much.
  Object.assign(request, { next: undefined, params: NOTHING, headers: NOTHING, rawHeaders: [] });
  Object.assign(request, { url: '', originalUrl: '', _parsedUrl: undefined });
  Object.assign(response, { locals: NOTHING });
}
