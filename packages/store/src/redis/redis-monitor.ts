import { withTimeout } from '@paywatch/runtime/process';
import type { RedisClient } from './client.ts';
import { assertSuitableRedis, UnsuitableRedisError } from './fitness.ts';

/** What one Redis is to this process now; `reason` is a line for the operator. */
export type RedisHealth =
  { kind: 'serving' } | { kind: 'unavailable'; reason: string } | { kind: 'unsuitable'; reason: string };

export type RedisMonitor = {
  /** The variable that names this Redis. */
  variable: string;
  health(): RedisHealth;
  /** Resolves once Redis serves or has turned out to be unsuitable, at the latest after `timeoutMs`. */
  whenJudged(timeoutMs: number): Promise<void>;
  stop(): void;
};

const INTERVAL_MS = 1000;
/** A question that is open for so many intervals counts as unanswered. Intervals, because a stalled process counts none. */
const SILENT_INTERVALS = 3;

/**
 * Follows what a Redis is to this process: it pings once a second, and checks after every connection whether the server is
 * suitable, since another one may have come back. Calls `onChange` with every new health.
 */
export function monitorRedis(
  redis: RedisClient,
  variable: string,
  onChange: (health: RedisHealth) => void = () => undefined,
): RedisMonitor {
  const judged = Promise.withResolvers<void>();
  let health: RedisHealth = { kind: 'unavailable', reason: 'not connected yet' };
  let isKnownSuitable = false;
  let connection = 0;
  let openIntervals: number | null = null;
  let connectionError: Error | null = null;

  const become = (next: RedisHealth): void => {
    const isNew = next.kind !== health.kind;
    health = next;
    if (next.kind !== 'unavailable') judged.resolve();
    if (isNew) onChange(next);
  };
  const ask = async (): Promise<void> => {
    openIntervals = 0;
    const askedOn = connection;
    const answer = await (isKnownSuitable ? redis.ping() : assertSuitableRedis(redis, variable)).then(
      () => ({ kind: 'serving' }) as const,
      (error: unknown) => describeFailure(error, variable),
    );
    // ioredis sends an open ping again on the next connection: it says nothing of the server that answers there.
    if (askedOn !== connection) return;
    openIntervals = null;
    isKnownSuitable ||= answer.kind === 'serving';
    become(answer);
  };
  const look = (): void => {
    if (redis.status !== 'ready') become(describeFailure(connectionError, variable));
    else if (openIntervals === null) void ask();
    else if (++openIntervals >= SILENT_INTERVALS) become({ kind: 'unavailable', reason: 'no answer' });
  };
  const timer = setInterval(look, INTERVAL_MS).unref();
  const noteError = (error: Error): void => {
    connectionError = error;
    look();
  };
  const greet = (): void => {
    connectionError = null;
    isKnownSuitable = false;
    connection += 1;
    void ask();
  };
  redis.on('error', noteError).on('ready', greet);
  if (redis.status === 'ready') look();
  return {
    variable,
    health: () => health,
    whenJudged: (timeoutMs) => withTimeout(judged.promise, timeoutMs, () => undefined),
    stop: () => {
      clearInterval(timer);
      redis.off('error', noteError).off('ready', greet);
    },
  };
}

/** A server that refuses the login answers: waiting does not help. Everything else may be an outage. */
function describeFailure(error: unknown, variable: string): RedisHealth {
  if (error instanceof UnsuitableRedisError) return { kind: 'unsuitable', reason: error.message };
  const message = error instanceof Error ? error.message || readCode(error) : 'not connected';
  const refusal = /\b(WRONGPASS|NOAUTH|NOPERM)\b/.exec(message)?.[1];
  if (refusal === undefined) return { kind: 'unavailable', reason: message };
  return { kind: 'unsuitable', reason: `${variable}: Redis refuses the login (${refusal})` };
}

/** Of several addresses that all refuse the connection, the error has no message but a code. */
function readCode(error: NodeJS.ErrnoException): string {
  return error.code ?? error.name;
}
