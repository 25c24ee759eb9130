import { PaywatchConnectionError } from './paywatch-error.ts';

/** A block of an event stream: a message where `data` is not empty. */
export type StreamBlock = {
  readonly id: string | undefined;
  readonly data: string;
  readonly retryMs: number | undefined;
};

/**
 * Reads the blocks of a text/event-stream (HTML standard, 9.2) as they come. `onBytes` hears of heartbeats, too.
 * Throws PaywatchConnectionError where the stream breaks off.
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
      const { done, value } = await reader.read().catch(brokenOff);
      // What a broken connection left incomplete is not a message: it comes again, whole.
      if (done) return;
      onBytes();
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseBlock);
    }
  } finally {
    // The reader of a stream that broke is cancelled already, and says so.
    await reader.cancel().catch(() => undefined);
  }
}

function brokenOff(cause: unknown): never {
  throw new PaywatchConnectionError('The stream broke.', { cause });
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
