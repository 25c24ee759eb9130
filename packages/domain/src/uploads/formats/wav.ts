import { endOf, expectFormat, textAt, type Bytes } from '../bytes.ts';

/** A sound as its structure describes it. */
export type SoundFacts = {
  readonly durationMs: number;
  /** Where the sound ends. Whatever follows belongs to something else. */
  readonly end: number;
};

/** Whether a file begins like a WAV. */
export function isWav(bytes: Bytes): boolean {
  return textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WAVE';
}

/** PCM, floating point, and the extensible form of both. */
const FORMATS = [1, 3, 0xfffe];

/** Reads the chunks of an uncompressed WAV. Throws RangeError for a damaged or compressed one. */
export function readWav(bytes: Bytes): SoundFacts {
  const { view } = bytes;
  const end = endOf(bytes, 8, view.getUint32(4, true));
  let bytesPerSecond = 0;
  let durationMs = 0;
  for (let at = 12; at < end;) {
    const [type, length] = [textAt(bytes, at, 4), view.getUint32(at + 4, true)];
    if (type === 'fmt ') bytesPerSecond = rateOf(bytes, at + 8);
    if (type === 'data') durationMs += (1000 * length) / bytesPerSecond;
    at = endOf(bytes, at + 8, length) + (length % 2);
  }
  expectFormat(Number.isFinite(durationMs) && durationMs > 0);
  return { durationMs, end };
}

/** Bytes of a second. Computed: the file's own figure may be wrong. */
function rateOf({ view }: Bytes, at: number): number {
  const [format, channels] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
  const [rate, bits] = [view.getUint32(at + 4, true), view.getUint16(at + 14, true)];
  expectFormat(FORMATS.includes(format) && channels >= 1 && channels <= 8);
  expectFormat(rate >= 3000 && rate <= 192_000 && [8, 16, 24, 32, 64].includes(bits));
  return (rate * channels * bits) / 8;
}
