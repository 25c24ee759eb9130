import type { SeededRandom } from '@paywatch/dev/testing';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What clients that came and went have done. */
export type ChurnCounts = {
  /** Streams that were answered with 200. */
  opened: number;
  /** Requests that were answered otherwise, or not at all. */
  refused: number;
  /** Reads with something new in them. */
  reads: number;
};

export type Churn = {
  port: number;
  paths: readonly string[];
  /** Clients at any moment, and for how long at most each of them stays. */
  clients: number;
  longestStayMs: number;
  random: SeededRandom;
  untilMs: number;
};

/**
 * Clients that open a stream, read for a while and go away, each followed by another one, until `untilMs` (on the clock of
 * `performance`). Half of them hang up in order and half are gone without a word. All have gone when it resolves.
 */
export async function runChurn(churn: Churn): Promise<ChurnCounts> {
  const counts: ChurnCounts = { opened: 0, refused: 0, reads: 0 };
  const comeAndGo = async (): Promise<void> => {
    while (performance.now() < churn.untilMs) await visit(churn, counts);
  };
  await Promise.all(Array.from({ length: churn.clients }, comeAndGo));
  return counts;
}

async function visit(
  { port, paths, longestStayMs, random, untilMs }: Churn,
  counts: ChurnCounts,
): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  socket.on('error', () => undefined).once('close', resolve);
  socket.on('data', (bytes: Buffer) => {
    if (!isOpen && bytes.toString('latin1', 0, 13) === 'HTTP/1.1 200 ') {
      isOpen = true;
      counts.opened += 1;
    } else counts.reads += 1;
  });
  socket.write(`GET ${random.pick(paths)} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`);
  const stayMs = Math.min(random.integer(longestStayMs), Math.max(0, untilMs - performance.now()));
  await Promise.race([sleep(stayMs), closed]);
  if (!isOpen) counts.refused += 1;
  if (random.happens(0.5)) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}
