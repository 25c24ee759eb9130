import type { Redis } from 'ioredis';
import { holdsAt, numberAt } from '../bytes.ts';

/** A publication: from `start` to `end`, `bytes` name its channel, and from `messageStart` to `messageEnd` they are its message. */
export type OnPublication = (
  bytes: Buffer,
  start: number,
  end: number,
  messageStart: number,
  messageEnd: number,
) => void;

/** What kind of publication: to all of a cluster, or to the shard of its channel. */
export type PublicationKind = 'message' | 'smessage';

/**
 * Takes the publications out of what a connection brings, and leaves all the rest to ioredis. Call it while ioredis tells of
 * 'connect': it listens already, and nothing has arrived yet. Publications come by thousands, and ioredis takes several times
 * as long to read one as a replica needs to pass it on.
 */
export function takePublications(
  stream: Redis['stream'],
  kind: PublicationKind,
  onPublication: OnPublication,
): void {
  const theirs = stream.listeners('data');
  const reader = new PublicationReader(kind, onPublication, (bytes) => {
    for (const listener of theirs) Reflect.apply(listener, stream, [bytes]);
  });
  stream.removeAllListeners('data').on('data', (bytes: Buffer) => reader.read(bytes));
}

const NOTHING = Buffer.alloc(0);
/** A frame that began in what came before is put together with so many bytes of what follows; with more where it is longer. */
const JOINED_BYTES = 4096;

/** Reads frames of RESP3 (https://redis.io/docs/latest/develop/reference/protocol-spec/), however they are cut into pieces. */
export class PublicationReader {
  /** How a publication begins. */
  readonly #head: Buffer;
  readonly #onPublication: OnPublication;
  readonly #onOther: (frame: Buffer) => void;
  /** A frame that is not whole yet. */
  #left: Buffer = NOTHING;

  /** `onOther` gets all frames that are no publications, each whole and as it came. */
  constructor(kind: PublicationKind, onPublication: OnPublication, onOther: (frame: Buffer) => void) {
    this.#head = Buffer.from(`>3\r\n$${kind.length}\r\n${kind}\r\n`);
    this.#onPublication = onPublication;
    this.#onOther = onOther;
  }

  read(arrived: Buffer): void {
    let at = this.#left.length === 0 ? 0 : this.#finishLeft(arrived);
    while (at < arrived.length) {
      const end = this.#readFrame(arrived, at);
      if (end < 0) break;
      at = end;
    }
    if (at < arrived.length) this.#left = arrived.subarray(at);
  }

  /** Returns where what follows the frame begins in what arrived. */
  #finishLeft(arrived: Buffer): number {
    const left = this.#left;
    for (let taken = JOINED_BYTES; ; taken *= 8) {
      this.#left = Buffer.concat([left, arrived.subarray(0, taken)]);
      const end = this.#readFrame(this.#left, 0);
      if (end < 0 && taken < arrived.length) continue;
      if (end < 0) return arrived.length;
      this.#left = NOTHING;
      return end - left.length;
    }
  }

  /** Hands on the frame that begins at `start`, and returns where it ends; -1 where it is not whole. */
  #readFrame(bytes: Buffer, start: number): number {
    if (holdsAt(bytes, start, this.#head)) return this.#readPublication(bytes, start + this.#head.length);
    const end = frameEnd(bytes, start);
    if (end >= 0) this.#onOther(bytes.subarray(start, end));
    return end;
  }

  /** The same, from its channel on. */
  #readPublication(bytes: Buffer, start: number): number {
    const nameStart = lineEnd(bytes, start);
    const nameEnd = nameStart + numberIn(bytes, start, nameStart);
    const messageStart = nameStart < 0 ? -1 : lineEnd(bytes, nameEnd + 2);
    const messageEnd = messageStart + numberIn(bytes, nameEnd + 2, messageStart);
    if (messageStart < 0 || messageEnd + 2 > bytes.length) return -1;
    this.#onPublication(bytes, nameStart, nameEnd, messageStart, messageEnd);
    return messageEnd + 2;
  }
}

const [CR, MINUS] = [0x0d, 0x2d];
/** Frames that have as many bytes as their first line says: strings, verbatim strings, errors. */
const BLOBS = '$=!';
/** Frames that have other frames in them, and how many for each that the first line counts. */
const AGGREGATES = new Map([
  ['*', 1],
  ['~', 1],
  ['>', 1],
  ['%', 2],
  ['|', 2],
]);

/** Where the frame that begins at `start` ends; -1 where it is not whole. Any type that is not known is taken for a line. */
function frameEnd(bytes: Buffer, start: number): number {
  let at = start;
  for (let frames = 1; frames > 0; frames -= 1) {
    const end = lineEnd(bytes, at);
    if (end < 0) return -1;
    const type = String.fromCharCode(bytes[at] ?? 0);
    const count = numberIn(bytes, at, end);
    frames += Math.max(count, 0) * (AGGREGATES.get(type) ?? 0);
    // Attributes stand before the frame that they are about.
    if (type === '|') frames += 1;
    at = BLOBS.includes(type) && count >= 0 ? end + count + 2 : end;
  }
  return at > bytes.length ? -1 : at;
}

/** Where the line that begins at `start` ends; -1 where it is not whole. */
function lineEnd(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length - 1; at += 1) if (bytes[at] === CR) return at + 2;
  return -1;
}

/** The number that a line says behind its type; -1 for none, as of a null. */
function numberIn(bytes: Buffer, start: number, end: number): number {
  if (bytes[start + 1] === MINUS) return -1;
  return numberAt(bytes, start + 1, end - 2);
}
