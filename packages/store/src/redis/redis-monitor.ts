import { withTimeout } from '@paywatch/runtime/process';
import type { RedisClient } from './client.ts';
import { assertRedisCompatible, IncompatibleRedisError } from './compatibility.ts';

/** The current state of one Redis for this process; `reason` is one line for the operator. */
export type RedisHealth =
  { kind: 'serving' } | { kind: 'unavailable'; reason: string } | { kind: 'incompatible'; reason: string };

export type RedisMonitor = {
  /** The variable that names this Redis. */
  variable: string;
  health(): RedisHealth;
  /** Resolves once Redis is ready or found incompatible, at the latest after `timeoutMs`. */
  whenJudged(timeoutMs: number): Promise<void>;
  stop(): void;
};

const INTERVAL_MS = 1000;
/**
 * A ping that stays open for this many intervals counts as unanswered. Intervals are counted so that a stall of this process
 * does not count.
 */
const SILENT_INTERVALS = 3;

/**
 * Watches one Redis: pings it once a second, and checks its compatibility after every connection, because another server may
 * respond. Calls `onChange` with every new state.
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
    const answer = await (isKnownSuitable ? redis.ping() : assertRedisCompatible(redis, variable)).then(
      () => ({ kind: 'serving' }) as const,
      (error: unknown) => describeFailure(error, variable),
    );
    // ioredis sends an open ping again on the next connection; its reply proves nothing about this server.
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

/** A server that refuses the login responds, so waiting does not help. Every other failure may be an outage. */
function describeFailure(error: unknown, variable: string): RedisHealth {
  if (error instanceof IncompatibleRedisError) return { kind: 'incompatible', reason: error.message };
  const message = error instanceof Error ? error.message || readCode(error) : 'not connected';
  const refusal = /\b(WRONGPASS|NOAUTH|NOPERM)\b/.exec(message)?.[1];
  if (refusal === undefined) return { kind: 'unavailable', reason: message };
  return { kind: 'incompatible', reason: `${variable}: Redis refuses the login (${refusal})` };
}

/** If all of several addresses refuse the connection, the error has a code but no message. */
function readCode(error: NodeJS.ErrnoException): string {
  return error.code ?? error.name;
}
