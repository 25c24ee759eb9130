import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How many bytes may wait in the process, beyond the kernel's buffers, before a client that reads too slowly is disconnected.
 * It can reconnect and resume.
 */
const MAX_BUFFERED_BYTES = 128 * 1024;
/** A client that takes nothing for this long while it catches up is disconnected. */
const DRAIN_TIMEOUT_MS = 30_000;

/** One client of an event stream (WHATWG HTML, server-sent events). */
export class EventStream {
  /** When it has to end, epoch milliseconds; null while that is open. */
  endsAtMs: number | null = null;
  /** The position up to which its client has everything; see `StreamKind`. */
  position = 0;
  /** Whether it has caught up: live streams get what is new at once. */
  isLive = false;
  /** The token it was opened with, where one grants access. */
  readonly access: string | null;
  readonly #response: ServerResponse;

  private constructor(response: ServerResponse, access: string | null) {
    this.#response = response;
    this.access = access;
  }

  /** Sends the head of the response. Null where nobody would read on: the client is gone, or asked with HEAD. */
  static open(request: IncomingMessage, response: ServerResponse, access: string | null): EventStream | null {
    // Without a socket the request was pipelined behind another response, which may never end.
    if (response.socket === null) request.socket.destroy();
    if (request.socket.destroyed) return null;
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // nginx and others that follow it would otherwise buffer the messages.
    response.setHeader('X-Accel-Buffering', 'no');
    // The end of the connection ends the stream: without chunks every message is one write to the socket.
    response.removeHeader('Transfer-Encoding');
    response.setHeader('Connection', 'close');
    if (request.method === 'HEAD') {
      response.writeHead(200).end();
      return null;
    }
    // The first messages follow in this turn of the event loop and leave together with the head.
    response.cork();
    process.nextTick(() => response.uncork());
    response.writeHead(200).flushHeaders();
    return new EventStream(response, access);
  }

  /** Calls `onClose` once, whoever ended the stream. */
  onClose(onClose: () => void): void {
    if (this.#response.closed) onClose();
    else this.#response.once('close', onClose);
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Sends messages; disconnects a client that does not read, so that it holds up nobody else. */
  write(messages: Buffer): void {
    if (!this.isOpen) return;
    // Checked before writing: a single message of any size is no reason to disconnect.
    if (this.#response.writableLength > MAX_BUFFERED_BYTES) this.#response.destroy();
    else this.#response.write(messages);
  }

  /** Resolves once the client has taken what was written, or is gone. Used before the next page of a long history. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#response.destroy(), DRAIN_TIMEOUT_MS);
    this.#response.once('drain', resolve).once('close', resolve);
    await promise;
    clearTimeout(timer);
    this.#response.off('drain', resolve).off('close', resolve);
  }

  /** Ends the response and its connection, so that the client reconnects to whichever replica the load balancer picks. */
  end(lastMessages?: Buffer): void {
    if (lastMessages !== undefined) this.write(lastMessages);
    if (this.isOpen) this.#response.end();
  }
}
