import type { Subscriber } from 'zeromq';
import type { SourceListener } from '../chain-source.ts';

const TOPICS = ['rawtx', 'hashblock'] as const;
/** Messages held while we are busy; beyond it they are dropped, which the sequence shows. */
const HELD_MESSAGES = 10_000;

/**
 * Listens to what a Core node publishes (`zmqpubrawtx`, `zmqpubhashblock`), at one endpoint or several, until the
 * returned function is called. ZeroMQ connects again by itself and loses what was said meanwhile: each topic counts its
 * messages, so a gap is seen and told as a change.
 */
export function listenToNode(endpoints: readonly string[], listener: SourceListener): () => void {
  let subscriber: Subscriber | null = null;
  let isClosed = false;
  const run = async (): Promise<void> => {
    // A native module, loaded only where somebody wants it.
    const { Subscriber: Socket } = await import('zeromq');
    if (isClosed) return;
    subscriber = new Socket({ receiveHighWaterMark: HELD_MESSAGES, linger: 0 });
    for (const endpoint of endpoints) subscriber.connect(endpoint);
    subscriber.subscribe(...TOPICS);
    const gaps = sequenceGaps();
    for await (const frames of subscriber) takeMessage(frames, gaps, listener);
  };
  run().catch((error: unknown) => {
    if (!isClosed) listener.onFault(error);
  });
  return () => {
    isClosed = true;
    subscriber?.close();
  };
}

function takeMessage(
  [topic, body, sequence]: readonly Buffer[],
  gaps: (topic: string, sequence: number) => boolean,
  listener: SourceListener,
): void {
  if (!topic || !body) return;
  const name = topic.toString('latin1');
  const hasGap = sequence?.length === 4 && gaps(name, sequence.readUInt32LE(0));
  if (name === 'rawtx') listener.onTransaction(body);
  if (name === 'hashblock' || hasGap) listener.onChange();
}

/**
 * Whether messages were lost before this one of its topic. A node that was started again counts from 0, which is a gap,
 * too: what it said before we were connected is lost.
 */
function sequenceGaps(): (topic: string, sequence: number) => boolean {
  const last = new Map<string, number>();
  return (topic, sequence) => {
    const previous = last.get(topic);
    last.set(topic, sequence);
    return previous !== undefined && sequence !== (previous + 1) % 2 ** 32;
  };
}
