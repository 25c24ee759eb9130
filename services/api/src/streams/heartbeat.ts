import { messageText } from '@paywatch/domain/invoices';
import type { Clock } from '@paywatch/runtime/process';
import { randomFraction } from '@paywatch/runtime/security';
import type { EventStream } from './event-stream.ts';

/** A comment: clients ignore it, and proxies see that the connection is in use. */
const COMMENT = Buffer.from(':\n\n');
const SLOTS = 60;
const TICK_MS = 250;
/** When a replica shuts down, its clients reconnect spread over these seconds instead of all at once. */
const RECONNECT_AFTER_MS = 1000;
const RECONNECT_SPREAD_MS = 9000;

/**
 * Sends a comment to every open stream each 15 seconds, and ends streams whose time is over. A timer wheel: the streams are spread over 60
 * slots, and one slot is served every 250 ms, so that no stream needs a timer of its own.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<EventStream>());
  readonly #timer: NodeJS.Timeout;
  #turn = 0;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** Serves a stream until it closes. */
  add(stream: EventStream): void {
    const slot = this.#slots[this.#turn % SLOTS];
    slot?.add(stream);
    stream.onClose(() => slot?.delete(stream));
    if (this.#isStopped) endStream(stream, randomFraction());
  }

  /** Ends all streams, also those added later, and gives each client a different delay to reconnect after. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    const streams = this.#slots.flatMap((slot) => [...slot]);
    for (const [i, stream] of streams.entries()) endStream(stream, i / streams.length);
  }

  #tick(): void {
    this.#turn += 1;
    const nextTurnMs = this.#clock.nowMs() + SLOTS * TICK_MS;
    for (const stream of this.#slots[this.#turn % SLOTS] ?? []) {
      if (stream.endsAtMs !== null && stream.endsAtMs < nextTurnMs) stream.end();
      else stream.write(COMMENT);
    }
  }
}

/** `fraction`: the client's part of the spread, from 0 to 1. */
function endStream(stream: EventStream, fraction: number): void {
  const retryMs = Math.round(RECONNECT_AFTER_MS + fraction * RECONNECT_SPREAD_MS);
  stream.end(Buffer.from(messageText({ retryMs })));
}
