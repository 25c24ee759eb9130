import type { IncomingMessage, ServerResponse } from 'node:http';

/** A message for one position. The position is its id. */
export type Entry = { position: number; text: string };

/** The messages that follow a position, in ascending order. */
export type Page = {
  entries: readonly Entry[];
  /** Nothing followed the page when it was read. */
  isLast: boolean;
  /** How long a stream stays open after the page; null: until the client closes it. */
  staysMs: number | null;
  /** The token that granted access to the target when the page was read. Streams with another token must not get the page. */
  access: string | null;
};

export const EMPTY_PAGE: Page = { entries: [], isLast: true, staysMs: null, access: null };

/**
 * How a target is set up at the moment, such as the settings of an overlay: a message without an id, which does not change the position
 * of a client. `version` grows with each change.
 */
export type TargetState = { version: number; text: string };

/** What distinguishes the kinds of streams. A target is what a client follows: an invoice, or a project's overlay. */
export type StreamKind<Target extends string | bigint> = {
  /** For the log. */
  name: string;
  /** Whether only the newest state counts, so that quick changes may be merged. */
  isMerged: boolean;
  /** The channel on which changes of the target are published. */
  channel(target: Target): string;
  /**
   * Decides where a client starts that last received `position`, and checks its access. Returns null if it has everything and nothing will
   * follow. Throws AppError if there is no such target, or `access` is not its token.
   */
  begin(target: Target, position: number | null, access: string | null): Promise<Beginning | null>;
  /**
   * Reads what follows a position of each target, with one statement; by target as text. Positions must become visible in
   * ascending order.
   */
  read(places: readonly Place<Target>[]): Promise<ReadonlyMap<string, Page>>;
  /** Reads the newest position, the valid token and the version of the state of each target, with one statement; by target as text. */
  readHeads(targets: readonly Target[]): Promise<ReadonlyMap<string, Head>>;
  /** Reads the state of a target; null if there is none. Absent if targets of this kind have no state. */
  readState?(target: Target): Promise<TargetState | null>;
};

export type Place<Target> = { target: Target; after: number };
type Head = { position: number; access: string | null; stateVersion: number };

/** The start of a stream: its first message and the position of the client. `page` follows, if it was already read. */
export type Beginning = { greeting: string; position: number; page: Page | null };

/**
 * A client with more bytes than this buffered in the process, beyond the kernel's buffers, is disconnected. It can reconnect
 * and resume.
 */
const MAX_BUFFERED_BYTES = 128 * 1024;
/** A client that reads nothing for this long while it catches up is disconnected. */
const DRAIN_TIMEOUT_MS = 30_000;

/** One client of an event stream (server-sent events of WHATWG HTML). */
export class EventStream {
  /** When the stream ends, epoch milliseconds; null if that is not known yet. */
  endsAtMs: number | null = null;
  /** The client has everything up to this position; see `StreamKind`. */
  position = 0;
  /** Whether the client has caught up. Live streams get new messages at once. */
  isLive = false;
  /** The token that the client gave; null if none is needed. */
  readonly access: string | null;
  /** The version of the state that the client has; null if it did not request the state. */
  stateVersion: number | null = null;
  readonly #response: ServerResponse;

  private constructor(response: ServerResponse, access: string | null) {
    this.#response = response;
    this.access = access;
  }

  /** Sends the head of the response. Returns null if nobody reads the rest: the client is gone, or the method is HEAD. */
  static open(request: IncomingMessage, response: ServerResponse, access: string | null): EventStream | null {
    // Without a socket the request was pipelined behind another response, which may never end.
    if (response.socket === null) request.socket.destroy();
    if (request.socket.destroyed) return null;
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // Stops nginx and proxies that follow it from buffering the messages.
    response.setHeader('X-Accel-Buffering', 'no');
    // The end of the connection ends the stream. Without chunked encoding every message is one write to the socket.
    response.removeHeader('Transfer-Encoding');
    response.setHeader('Connection', 'close');
    if (request.method === 'HEAD') {
      response.writeHead(200).end();
      return null;
    }
    // The first messages are written in this turn of the event loop and leave together with the head.
    response.cork();
    process.nextTick(() => response.uncork());
    response.writeHead(200).flushHeaders();
    return new EventStream(response, access);
  }

  /** Calls `onClose` once, whichever side ended the stream. */
  onClose(onClose: () => void): void {
    if (this.#response.closed) onClose();
    else this.#response.once('close', onClose);
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Sends bytes. Disconnects a client that reads too slowly, so that it delays nobody else. */
  write(bytes: Buffer): void {
    if (!this.isOpen) return;
    // Checked before writing: one message, however large, is no reason to disconnect.
    if (this.#response.writableLength > MAX_BUFFERED_BYTES) this.#response.destroy();
    else this.#response.write(bytes);
  }

  /**
   * Sends the messages after the stream's position; false if there are none. `frames` caches the bytes for streams at the same
   * position.
   */
  send(page: Page, frames: Map<number, Buffer>, nowMs: number): boolean {
    const { position } = this;
    const end = lastPosition(page);
    if (end <= position) return false;
    const frame = frames.get(position) ?? frameAfter(page, position);
    frames.set(position, frame);
    this.write(frame);
    this.position = end;
    if (page.staysMs !== null) this.endsAtMs ??= nowMs + page.staysMs;
    return true;
  }

  /** Sends the state to a client that requested it and has an older version; otherwise does nothing. */
  sendState(version: number, bytes: Buffer): void {
    if (this.stateVersion === null || this.stateVersion >= version) return;
    this.stateVersion = version;
    this.write(bytes);
  }

  /** Resolves once the client has read everything written, or is gone. Used between the pages of a long history. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#response.destroy(), DRAIN_TIMEOUT_MS);
    this.#response.once('drain', resolve).once('close', resolve);
    await promise;
    clearTimeout(timer);
    this.#response.off('drain', resolve).off('close', resolve);
  }

  /** Ends the response and its connection, so that the client reconnects to the replica that the load balancer chooses. */
  end(lastBytes?: Buffer): void {
    if (lastBytes !== undefined) this.write(lastBytes);
    if (this.isOpen) this.#response.end();
  }
}

/** The position of the last message of a page; 0 if it is empty. */
export function lastPosition({ entries }: Page): number {
  return entries.at(-1)?.position ?? 0;
}

/** The bytes of the messages after a position. Pure. */
export function frameAfter({ entries }: Page, position: number): Buffer {
  return Buffer.from(entries.flatMap((entry) => (entry.position > position ? [entry.text] : [])).join(''));
}

/** Parses the position in a Last-Event-ID or a publication; null if it is not one. */
export function parsePosition(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
