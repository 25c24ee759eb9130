import { Cluster, Redis, type Command } from 'ioredis';

/** How long a command may take before the API continues without Redis. */
const ANSWER_MS = 200;
const PARTS = 4;

/** Redis did not respond within the timeout. */
export class RedisTimeoutError extends Error {
  override name = 'RedisTimeoutError';
}

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * Rejects commands that are not answered in time. ioredis's own `commandTimeout` blames Redis for stalls of this process: after
 * 200 ms of a busy event loop its timer fires before a reply that has long arrived is read. Here, what has arrived is read
 * first, and a stall of the process or the machine counts for a part of the timeout only.
 *
 * `sendCommand`, a public method of both clients, is the one place that every command passes, those of pipelines and scripts
 * included; OpenTelemetry's instrumentation extends it as well.
 */
export class RedisWithTimeout extends Redis {
  #isReconnecting = false;

  override sendCommand(command: Command, stream?: Stream): unknown {
    limitWait(command, () => undefined);
    return super.sendCommand(command, stream);
  }

  /** Replaces the connection, if it is open. Commands fail at once until the next one is open. */
  reconnect(): void {
    if (this.#isReconnecting || this.status !== 'ready') return;
    this.#isReconnecting = true;
    this.once('close', () => (this.#isReconnecting = false));
    this.disconnect(true);
  }
}

/** How long commands for an unresponsive node fail at once before one command tries again. */
const SILENT_MS = 500;

/**
 * The same for a cluster: the timeout covers redirections, too. Commands for an unresponsive node fail at once, except one
 * every half second, until the node responds or another one has taken over.
 */
export class ClusterWithTimeout extends Cluster {
  readonly #silentUntilMs = new Map<string, number>();

  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    const owner = this.slots[command.getSlot() ?? -1]?.[0];
    if (owner === undefined) limitWait(command, () => undefined);
    else if (this.#isLeftAlone(owner)) command.reject(timeoutError());
    else this.#listenTo(owner, command);
    return command.isSettled ? command.promise : super.sendCommand(command, stream, node);
  }

  #isLeftAlone(owner: string): boolean {
    const untilMs = this.#silentUntilMs.get(owner);
    if (untilMs === undefined) return false;
    const nowMs = performance.now();
    if (nowMs < untilMs) return true;
    this.#silentUntilMs.set(owner, nowMs + SILENT_MS);
    return false;
  }

  #listenTo(owner: string, command: Command): void {
    limitWait(command, () => this.#silentUntilMs.set(owner, performance.now() + SILENT_MS));
    const forget = (): boolean => this.#silentUntilMs.delete(owner);
    command.promise.then(forget, () => undefined);
  }
}

function limitWait(command: Command, onSilence: () => void): void {
  const giveUp = (): void => {
    if (command.isSettled) return;
    onSilence();
    command.reject(timeoutError());
  };
  const stop = callAfter(ANSWER_MS, giveUp);
  command.promise.then(stop, stop);
}

/**
 * Calls `giveUp` after the timeout, once everything that has arrived by then is read. Returns a function that cancels it. A
 * stall, however long, ends only one of the parts of the timeout.
 */
function callAfter(ms: number, giveUp: () => void): () => void {
  let parts = PARTS;
  const timer = setTimeout(() => {
    parts -= 1;
    if (parts > 0) timer.refresh();
    else setImmediate(giveUp);
  }, ms / PARTS);
  return () => clearTimeout(timer);
}

function timeoutError(): RedisTimeoutError {
  return new RedisTimeoutError('Redis command timed out');
}

/**
 * Drops the connection after a command timed out, so that the next commands fail at once instead of after `ANSWER_MS` each:
 * with a frozen server every request would otherwise wait several times. ioredis reconnects in the background; a cluster does
 * so by itself. Safe to call with any error, any number of times.
 */
export function reconnectIfFrozen(redis: Redis | Cluster, error: unknown): void {
  if (error instanceof RedisTimeoutError && redis instanceof RedisWithTimeout) redis.reconnect();
}
