import { roundRobin } from '@paywatch/runtime/process';
import { randomToken } from '@paywatch/runtime/security';
import type { Store } from '../../store.ts';
import { reconnectIfFrozen } from '../client.ts';
import { loadScript } from '../scripts.ts';

const holdStreamSlots = loadScript('hold-stream-slots');

/** Slots of a dead replica are free after this time. */
const NOTE_TTL_MS = 45_000;
/** Each slot count is renewed every 15 seconds, spread over time: renewing all at once would delay other commands. */
const REPEAT_EVERY_MS = 100;
const REPEATED_SHARE = 1 / 150;
const TICKS_PER_RETRY = 10;
const NO_LIMIT = -1;

/**
 * Limits how many streams one network holds open at one target over all replicas. Without Redis each replica counts on its own.
 * Nothing is kept about networks without streams.
 */
export class StreamSlots {
  readonly #store: Pick<Store, 'redis' | 'keys'>;
  readonly #limit: number;
  readonly #replica = randomToken(9);
  readonly #held = new Map<string, number>();
  readonly #nextShare = roundRobin(this.#held, () => this.#held.keys());
  readonly #timer: NodeJS.Timeout;
  /** Keys of which Redis may still count the last stream, and until when. */
  readonly #unreportedEnds = new Map<string, number>();
  #ticks = 0;

  constructor(store: Pick<Store, 'redis' | 'keys'>, limit: number) {
    this.#store = store;
    this.#limit = limit;
    this.#timer = setInterval(() => this.#repeat(), REPEAT_EVERY_MS);
    this.#timer.unref();
  }

  /** Takes a slot; false if none is left. Give each one back exactly once. */
  async take(network: string, target: string): Promise<boolean> {
    const key = this.#store.keys.streamSlots(network, target);
    const count = (this.#held.get(key) ?? 0) + 1;
    if (count > this.#limit) return false;
    this.#held.set(key, count);
    if ((await this.#note(key, count, this.#limit)) !== 'refused') return true;
    this.#giveBack(key);
    return false;
  }

  giveBack(network: string, target: string): void {
    this.#giveBack(this.#store.keys.streamSlots(network, target));
  }

  /** Stops the renewals; held slots expire in Redis. */
  close(): void {
    clearInterval(this.#timer);
  }

  #giveBack(key: string): void {
    const left = (this.#held.get(key) ?? 0) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
    void this.#report(key);
  }

  #repeat(): void {
    for (const key of this.#nextShare(REPEATED_SHARE)) void this.#report(key);
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_RETRY === 0) this.#retryEnds();
  }

  /** If Redis missed the end of a stream, the slot would stay taken until its count expires. */
  #retryEnds(): void {
    const now = performance.now();
    for (const [key, untilMs] of this.#unreportedEnds) {
      if (untilMs <= now || this.#held.has(key)) this.#unreportedEnds.delete(key);
      else void this.#report(key);
    }
  }

  async #report(key: string): Promise<void> {
    const count = this.#held.get(key) ?? 0;
    const answer = await this.#note(key, count, NO_LIMIT);
    if (count > 0) return;
    if (answer === 'noted') this.#unreportedEnds.delete(key);
    else if (!this.#unreportedEnds.has(key)) this.#unreportedEnds.set(key, performance.now() + NOTE_TTL_MS);
  }

  /** `refused` if Redis counts too many. */
  async #note(key: string, count: number, limit: number): Promise<'noted' | 'refused' | 'unavailable'> {
    const { redis } = this.#store;
    if (redis.status !== 'ready') return 'unavailable';
    try {
      const args = [this.#replica, count, limit, NOTE_TTL_MS].map(String);
      return (await holdStreamSlots(redis, [key], args)) === 0 ? 'refused' : 'noted';
    } catch (error) {
      reconnectIfFrozen(redis, error);
      return 'unavailable';
    }
  }
}
