import { endOf, expectFormat, textAt, uint24At, type Bytes } from '../bytes.ts';
import { canvasOf, expectInside, type Area, type ImageFacts } from './image.ts';

/** Whether a file begins like a WebP. */
export function isWebp(bytes: Bytes): boolean {
  return textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP';
}

/** Reads the chunks of a WebP, an animated one too, up to its end. Throws RangeError for a damaged one. */
export function readWebp(bytes: Bytes): ImageFacts {
  const end = endOf(bytes, 8, bytes.view.getUint32(4, true));
  let canvas: Area | null = null;
  let frames = 0;
  for (const chunk of chunksOf(bytes, 12, end)) {
    const area = areaOf(bytes, chunk);
    if (area === null) continue;
    canvas ??= area;
    expectInside(area, canvas);
    if (chunk.type !== 'VP8X') frames += 1;
    if (chunk.type === 'ANMF') checkFrame(bytes, chunk, area);
  }
  expectFormat(canvas !== null && frames > 0);
  return { width: canvas.width, height: canvas.height, frames, end };
}

type Chunk = { readonly type: string; readonly at: number; readonly end: number };

/** The chunks between two positions. `at` is where the data of a chunk begins. */
function* chunksOf(bytes: Bytes, from: number, to: number): Generator<Chunk> {
  for (let at = from; at < to;) {
    const length = bytes.view.getUint32(at + 4, true);
    const end = endOf(bytes, at + 8, length);
    yield { type: textAt(bytes, at, 4), at: at + 8, end };
    // Chunks begin at even positions.
    at = end + (length % 2);
    expectFormat(at <= to);
  }
}

/** Where a chunk is drawn, or the canvas; null for a chunk that draws nothing. */
function areaOf(bytes: Bytes, { type, at }: Chunk): Area | null {
  const { view } = bytes;
  switch (type) {
    case 'VP8X':
      return canvasOf(1 + uint24At(bytes, at + 4), 1 + uint24At(bytes, at + 7));
    case 'VP8 ':
      expectFormat(textAt(bytes, at + 3, 3) === '\u009d\u0001*');
      return canvasOf(view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff);
    case 'VP8L': {
      expectFormat(view.getUint8(at) === 0x2f);
      const bits = view.getUint32(at + 1, true);
      return canvasOf(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
    }
    case 'ANMF':
      return {
        x: 2 * uint24At(bytes, at),
        y: 2 * uint24At(bytes, at + 3),
        width: 1 + uint24At(bytes, at + 6),
        height: 1 + uint24At(bytes, at + 9),
      };
    default:
      return null;
  }
}

/** The image in a frame of an animation must have the size that the frame names. */
function checkFrame(bytes: Bytes, frame: Chunk, { width, height }: Area): void {
  const drawn = [...chunksOf(bytes, frame.at + 16, frame.end)].flatMap((chunk) =>
    chunk.type.startsWith('VP8') ? [areaOf(bytes, chunk)] : [],
  );
  expectFormat(drawn.length === 1 && drawn[0]?.width === width && drawn[0].height === height);
}
