import { messageText } from '@paywatch/domain';
import { randomFraction, type Clock } from '@paywatch/runtime';
import type { EventStream } from './event-stream.ts';
import { frameOf, HEARTBEAT } from './frame.ts';

const SLOTS = 60;
const TICK_MS = 250;
/** Clients come back this long after the end of a replica, spread evenly, and not all in the same second. */
const RETURN_FROM_MS = 1000;
const RETURN_OVER_MS = 9000;

/**
 * All open streams of this process, in 60 slots: four times a second one slot gets its heartbeat, so that every stream gets
 * one every 15 seconds, no stream needs a timer of its own, and no turn of the loop is long. Streams whose time is over end at
 * their turn.
 */
export class StreamWheel {
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

  /** Holds a stream until it closes. */
  add(stream: EventStream): void {
    const slot = this.#slots[this.#turn % SLOTS];
    slot?.add(stream);
    stream.onClose(() => slot?.delete(stream));
    if (this.#isStopped) endSoon(stream, randomFraction());
  }

  /** Ends every stream, and those that are added later, telling each client another time to come back. */
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
      else stream.write(HEARTBEAT);
    }
  }
}

function endSoon(stream: EventStream, fraction: number): void {
  stream.end(frameOf(messageText({ retryMs: Math.round(RETURN_FROM_MS + fraction * RETURN_OVER_MS) })));
}
