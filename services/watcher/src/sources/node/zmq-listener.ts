import type { Subscriber } from 'zeromq';
import type { SourceListener } from '../chain-source.ts';

const TOPICS = ['rawtx', 'hashblock'] as const;
/** Messages buffered while this process is busy. Further ones are dropped, which the sequence numbers reveal. */
const HELD_MESSAGES = 10_000;

/**
 * Listens to the notifications of a Core node (`zmqpubrawtx`, `zmqpubhashblock`) at one or several endpoints, until the
 * returned function is called. ZeroMQ reconnects by itself but loses messages meanwhile. Each topic numbers its messages, so a
 * gap is detected and reported as a change.
 */
export function listenToNode(endpoints: readonly string[], listener: SourceListener): () => void {
  let subscriber: Subscriber | null = null;
  let isClosed = false;
  const run = async (): Promise<void> => {
    // A native module, loaded only if it is used.
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
 * Whether messages were lost before this one of its topic. A restarted node counts from 0, which is a gap as well: its messages
 * before our connection are lost.
 */
function sequenceGaps(): (topic: string, sequence: number) => boolean {
  const last = new Map<string, number>();
  return (topic, sequence) => {
    const previous = last.get(topic);
    last.set(topic, sequence);
    return previous !== undefined && sequence !== (previous + 1) % 2 ** 32;
  };
}
