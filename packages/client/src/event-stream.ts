import { PaywatchConnectionError } from './paywatch-error.ts';

/** A block of an event stream; a message if `data` is not empty. */
export type StreamBlock = {
  readonly id: string | undefined;
  readonly data: string;
  readonly retryMs: number | undefined;
};

/**
 * Parses a text/event-stream (HTML standard, 9.2) block by block. `onBytes` is called for all data, heartbeats included.
 * Throws PaywatchConnectionError if the stream is interrupted.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamBlock, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(throwInterrupted);
      // An incomplete block at the end is dropped; the server sends it again after the reconnect.
      if (done) return;
      onBytes();
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseBlock);
    }
  } finally {
    // cancel() rejects on a stream that has failed already.
    await reader.cancel().catch(() => undefined);
  }
}

function throwInterrupted(cause: unknown): never {
  throw new PaywatchConnectionError('Stream interrupted.', { cause });
}

function parseBlock(block: string): StreamBlock {
  const lines = block.split('\n');
  const valuesOf = (name: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${name}:`) ? line.slice(name.length + 1).replace(/^ /, '') : [],
    );
  const retry = Number(valuesOf('retry').at(-1));
  return {
    id: valuesOf('id').at(-1),
    data: valuesOf('data').join('\n'),
    retryMs: retry >= 0 ? retry : undefined,
  };
}
