import { endOf, expectFormat, textAt, type Bytes } from '../bytes.ts';
import { canvasOf, expectInside, type Area, type ImageFacts } from './image.ts';

const TRAILER = 0x3b;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** Whether a file begins like a GIF. */
export function isGif(bytes: Bytes): boolean {
  return ['GIF87a', 'GIF89a'].includes(textAt(bytes, 0, 6));
}

/** Reads the blocks of a GIF (87a or 89a) up to its trailer. Throws RangeError for a damaged one. */
export function readGif(bytes: Bytes): ImageFacts {
  const { view } = bytes;
  const canvas = canvasOf(view.getUint16(6, true), view.getUint16(8, true));
  let at = afterColours(bytes, 13, view.getUint8(10));
  let frames = 0;
  for (;;) {
    const kind = view.getUint8(at);
    if (kind === TRAILER) break;
    if (kind === EXTENSION) at = afterBlocks(bytes, at + 2);
    else {
      expectFormat(kind === IMAGE);
      at = afterFrame(bytes, at + 1, canvas);
      frames += 1;
    }
  }
  expectFormat(frames > 0);
  return { width: canvas.width, height: canvas.height, frames, end: at + 1 };
}

function afterFrame(bytes: Bytes, at: number, canvas: Area): number {
  const { view } = bytes;
  const [x, y, width, height] = [0, 2, 4, 6].map((offset) => view.getUint16(at + offset, true)) as Numbers4;
  expectInside({ x, y, width, height }, canvas);
  const data = afterColours(bytes, at + 9, view.getUint8(at + 8));
  return afterBlocks(bytes, data + 1);
}

type Numbers4 = [number, number, number, number];

/** Skips the table of colours that the flags announce. */
function afterColours(bytes: Bytes, at: number, flags: number): number {
  return endOf(bytes, at, (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
}

/** Skips blocks of up to 255 bytes; one without bytes is the last. */
function afterBlocks({ view }: Bytes, from: number): number {
  let at = from;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}
