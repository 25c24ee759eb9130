import { randomToken, takeTurns } from '@paywatch/runtime';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';
import { loadScript } from './scripts.ts';

const holdStreamSlots = loadScript('hold-stream-slots');

/** What a replica that died held is free again after this time. */
const NOTE_TTL_MS = 45_000;
/** Each note is repeated every 15 seconds; all at once they would hold up what is to be sent. */
const REPEAT_EVERY_MS = 100;
const REPEATED_SHARE = 1 / 150;
const NO_LIMIT = -1;

/**
 * Bounds how many streams one network holds open at one target over all replicas. While Redis is away each replica
 * counts for itself. Nothing is left of a network that has gone.
 */
export class StreamSlots {
  readonly #store: Pick<Store, 'redis' | 'keys'>;
  readonly #limit: number;
  readonly #replica = randomToken(9);
  readonly #held = new Map<string, number>();
  readonly #takeTurns = takeTurns(this.#held, () => this.#held.keys());
  readonly #timer: NodeJS.Timeout;

  constructor(store: Pick<Store, 'redis' | 'keys'>, limit: number) {
    this.#store = store;
    this.#limit = limit;
    this.#timer = setInterval(() => void this.#repeat(), REPEAT_EVERY_MS);
    this.#timer.unref();
  }

  /** Takes a slot; false where none is left. Each one taken is given back once. */
  async take(network: string, target: string): Promise<boolean> {
    const key = this.#store.keys.streamSlots(network, target);
    const count = (this.#held.get(key) ?? 0) + 1;
    if (count > this.#limit) return false;
    this.#held.set(key, count);
    if (await this.#note(key, count, this.#limit)) return true;
    this.#forget(key);
    return false;
  }

  giveBack(network: string, target: string): void {
    const key = this.#store.keys.streamSlots(network, target);
    this.#forget(key);
    void this.#note(key, this.#held.get(key) ?? 0, NO_LIMIT);
  }

  /** Ends the notes; what is held expires. */
  close(): void {
    clearInterval(this.#timer);
  }

  #forget(key: string): void {
    const left = (this.#held.get(key) ?? 0) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }

  async #repeat(): Promise<void> {
    const keys = this.#takeTurns(REPEATED_SHARE);
    await Promise.all(keys.map((key) => this.#note(key, this.#held.get(key) ?? 0, NO_LIMIT)));
  }

  /** False only where Redis says that it would be too many. */
  async #note(key: string, count: number, limit: number): Promise<boolean> {
    const { redis } = this.#store;
    if (redis.status !== 'ready') return true;
    try {
      const args = [this.#replica, count, limit, NOTE_TTL_MS].map(String);
      return (await holdStreamSlots(redis, [key], args)) !== 0;
    } catch (error) {
      reconnectIfFrozen(redis, error);
      return true;
    }
  }
}
