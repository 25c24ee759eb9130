import { messageText } from '@paywatch/domain/invoices';
import type { Clock } from '@paywatch/runtime/process';
import { randomFraction } from '@paywatch/runtime/security';
import type { EventStream } from './event-stream.ts';

/** A comment: clients ignore it, and proxies see that the connection is alive. */
const COMMENT = Buffer.from(':\n\n');
const SLOTS = 60;
const TICK_MS = 250;
/** Clients of a replica that shuts down reconnect spread evenly over these seconds, not all at once. */
const RETURN_FROM_MS = 1000;
const RETURN_OVER_MS = 9000;

/**
 * Sends every open stream of this process a comment each 15 seconds, and ends those whose time is over. A timer wheel: streams
 * are spread over 60 slots, one of which has its turn every 250 ms, so that no stream needs a timer of its own.
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

  /** How many streams are open. */
  get size(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.size, 0);
  }

  /** Serves a stream until it closes. */
  add(stream: EventStream): void {
    const slot = this.#slots[this.#turn % SLOTS];
    slot?.add(stream);
    stream.onClose(() => slot?.delete(stream));
    if (this.#isStopped) endSoon(stream, randomFraction());
  }

  /** Ends every stream, and those that are added later, each with another time to reconnect. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    const streams = this.#slots.flatMap((slot) => [...slot]);
    for (const [i, stream] of streams.entries()) endSoon(stream, i / streams.length);
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

function endSoon(stream: EventStream, fraction: number): void {
  const retryMs = Math.round(RETURN_FROM_MS + fraction * RETURN_OVER_MS);
  stream.end(Buffer.from(messageText({ retryMs })));
}
