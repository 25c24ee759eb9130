import { endOf, expectFormat, textAt, type Bytes } from '../bytes.ts';
import { canvasOf, expectInside, type Area, type ImageFacts } from './image.ts';

/** Whether a file begins like a PNG. */
export function isPng(bytes: Bytes): boolean {
  return textAt(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n';
}

/** Reads the chunks of a PNG, an animated one too, up to its end. Throws RangeError for a damaged one. */
export function readPng(bytes: Bytes): ImageFacts {
  const { view } = bytes;
  expectFormat(textAt(bytes, 12, 4) === 'IHDR' && view.getUint32(8) === 13);
  const canvas = canvasOf(view.getUint32(16), view.getUint32(20));
  let [frames, hasData] = [0, false];
  for (let at = 8; ;) {
    const [length, type] = [view.getUint32(at), textAt(bytes, at + 4, 4)];
    expectFormat(/^[a-zA-Z]{4}$/.test(type));
    if (type === 'fcTL') {
      expectInside(frameAt(bytes, at + 12), canvas);
      frames += 1;
    }
    hasData ||= type === 'IDAT';
    at = endOf(bytes, at, 12 + length);
    if (type !== 'IEND') continue;
    expectFormat(hasData);
    return { width: canvas.width, height: canvas.height, frames: Math.max(1, frames), end: at };
  }
}

function frameAt({ view }: Bytes, at: number): Area {
  return {
    width: view.getUint32(at),
    height: view.getUint32(at + 4),
    x: view.getUint32(at + 8),
    y: view.getUint32(at + 12),
  };
}
