import { chunkText } from '@paywatch/domain';

/** Messages of an event stream, ready for the socket: built once and written to every stream that gets them. */
export type Frame = {
  /** As HTTP/1.1 sends them. */
  readonly chunk: Buffer;
  /** A small part of a large piece of memory, which must not be held where it has to wait. */
  readonly isPart: boolean;
};

/** Messages that leave together. */
export function frameOf(text: string): Frame {
  return { chunk: Buffer.from(chunkText(text)), isPart: false };
}

/** The messages as HTTP/1.0 sends them. */
export function plainOf({ chunk }: Frame): Buffer {
  return chunk.subarray(chunk.indexOf('\n') + 1, chunk.length - 2);
}

/** A comment: clients ignore it, and proxies see that the connection lives. */
export const HEARTBEAT: Frame = frameOf(':\n\n');
