import { Cluster, Redis, type Command } from 'ioredis';

/** How long the API waits for an answer before it goes on without Redis. */
const ANSWER_MS = 200;
const PARTS = 4;

/** Redis did not answer in the time that the caller had. */
export class RedisTimeoutError extends Error {
  override name = 'RedisTimeoutError';
}

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * Rejects commands that are not answered in time. ioredis's own `commandTimeout` blames Redis for our own stalls: after
 * 200 ms of a busy event loop its timer fires before the answer, long there, is read. Here what has arrived is read first,
 * and a stall that Redis shares, of the whole machine, counts as a part of the time only.
 * What all requests of one turn of the event loop ask for leaves in one write: under load that is most of what a command costs.
 */
export class ImpatientRedis extends Redis {
  override sendCommand(command: Command, stream?: Stream): unknown {
    limitPatience(command, () => undefined);
    holdWrites(this);
    return super.sendCommand(command, stream);
  }
}

/** Until the end of this turn. A connection that is lost meanwhile loses what it held, as it does what it has sent. */
function holdWrites({ stream, status }: Redis): void {
  if (status !== 'ready' || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** How long a node that did not answer is left alone before one command asks again. */
const SILENT_MS = 500;

/**
 * The same for a cluster: whatever it takes to follow a slot to its node is within the time. Commands for a node that has
 * just not answered fail at once, all but one now and then, until it answers or another node has taken over.
 */
export class ImpatientCluster extends Cluster {
  readonly #silentUntilMs = new Map<string, number>();

  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    const owner = this.slots[command.getSlot() ?? -1]?.[0];
    if (owner === undefined) limitPatience(command, () => undefined);
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
    limitPatience(command, () => this.#silentUntilMs.set(owner, performance.now() + SILENT_MS));
    const forget = (): boolean => this.#silentUntilMs.delete(owner);
    command.promise.then(forget, () => undefined);
  }
}

function limitPatience(command: Command, onSilence: () => void): void {
  const giveUp = (): void => {
    if (command.isSettled) return;
    onSilence();
    command.reject(timeoutError());
  };
  const stop = giveUpAfter(ANSWER_MS, giveUp);
  command.promise.then(stop, stop);
}

/**
 * Calls `giveUp` after so long, once what has arrived until then is read; returns what stops that. A stall of this process, or
 * of the machine, ends one part of the time, however long it is.
 */
function giveUpAfter(ms: number, giveUp: () => void): () => void {
  let parts = PARTS;
  const timer = setTimeout(() => {
    parts -= 1;
    if (parts > 0) timer.refresh();
    else setImmediate(giveUp);
  }, ms / PARTS);
  return () => clearTimeout(timer);
}

function timeoutError(): RedisTimeoutError {
  return new RedisTimeoutError('Redis did not answer in time');
}

/**
 * Drops the connection after a command that was not answered in time, so that the next commands fail at once and not
 * after `ANSWER_MS` each: a frozen server would else cost every request that wait several times over.
 * ioredis connects again in the background; a cluster sees to it by itself. Safe to call with any error, any number of times.
 */
export function reconnectIfFrozen(redis: Redis | Cluster, error: unknown): void {
  // Not `disconnect()`: it waits for the other side to close, which a frozen or unreachable one does not.
  if (error instanceof RedisTimeoutError && redis instanceof Redis && redis.status === 'ready')
    redis.stream.destroy();
}
