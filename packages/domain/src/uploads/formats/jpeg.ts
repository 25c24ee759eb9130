import { expectFormat, endOf, type Bytes } from '../bytes.ts';
import { canvasOf, type Area, type ImageFacts } from './image.ts';

const END = 0xd9;
const SCAN = 0xda;

/** Whether a file begins like a JPEG. */
export function isJpeg({ all }: Bytes): boolean {
  return all[0] === 0xff && all[1] === 0xd8 && all[2] === 0xff;
}

/**
 * Reads the segments of a JPEG up to its end. A progressive one has several scans, each of which is drawn over the whole image, so they
 * count as frames. Throws RangeError for a damaged one.
 */
export function readJpeg(bytes: Bytes): ImageFacts {
  const { view } = bytes;
  let canvas: Area | null = null;
  let frames = 0;
  for (let at = 2; ;) {
    expectFormat(view.getUint8(at) === 0xff);
    const marker = view.getUint8(at + 1);
    if (marker === END) {
      expectFormat(canvas !== null && frames > 0);
      return { width: canvas.width, height: canvas.height, frames, end: at + 2 };
    }
    if (isSize(marker)) {
      // A second size would be that of another image.
      expectFormat(canvas === null);
      canvas = canvasOf(view.getUint16(at + 7), view.getUint16(at + 5));
    }
    expectFormat(view.getUint16(at + 2) >= 2);
    at = endOf(bytes, at + 2, view.getUint16(at + 2));
    if (marker !== SCAN) continue;
    frames += 1;
    at = afterScan(bytes, at);
  }
}

/** SOF0 to SOF15; three of the numbers mean something else. */
function isSize(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The position of the next marker. In the data of a scan, 0xff is followed by 0 or is a restart marker. */
function afterScan({ all }: Bytes, from: number): number {
  for (let at = all.indexOf(0xff, from); at >= 0; at = all.indexOf(0xff, at + 1)) {
    const next = all[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new RangeError('the file is damaged');
}
