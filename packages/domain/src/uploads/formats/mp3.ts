import { endOf, expectFormat, textAt, type Bytes } from '../bytes.ts';
import type { SoundFacts } from './wav.ts';

/** Kilobits per second by the index in a frame's header, of layer III: MPEG 1, and MPEG 2 and 2.5. */
const RATES_1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Samples per second of MPEG 1; a half of it in MPEG 2, a quarter in 2.5. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const ID3V1_BYTES = 128;

/** Whether a file begins like an MP3: with a tag, or with a frame. */
export function isMp3(bytes: Bytes): boolean {
  return textAt(bytes, 0, 3) === 'ID3' || frameAt(bytes, 0) !== null;
}

/**
 * Counts the frames of an MP3, between its tags. The length that a file names itself is not read: it may be wrong. Throws RangeError if
 * anything but frames is there.
 */
export function readMp3(bytes: Bytes): SoundFacts {
  const end = bytes.all.length;
  const framesEnd = textAt(bytes, end - ID3V1_BYTES, 3) === 'TAG' ? end - ID3V1_BYTES : end;
  let at = afterId3(bytes);
  let [frames, seconds] = [0, 0];
  while (at < framesEnd) {
    const frame = frameAt(bytes, at);
    expectFormat(frame !== null);
    at = endOf(bytes, at, frame.length);
    frames += 1;
    seconds += frame.seconds;
  }
  expectFormat(at === framesEnd && frames > 1);
  return { durationMs: 1000 * seconds, end };
}

function afterId3(bytes: Bytes): number {
  if (textAt(bytes, 0, 3) !== 'ID3') return 0;
  // Seven bits of each byte.
  const [a, b, c, d] = [6, 7, 8, 9].map((at) => bytes.view.getUint8(at) & 0x7f) as [
    number,
    number,
    number,
    number,
  ];
  return endOf(bytes, 10, a * 2 ** 21 + b * 2 ** 14 + c * 2 ** 7 + d);
}

/** The length of a frame in bytes and in seconds; null where none of layer III begins. */
function frameAt({ all }: Bytes, at: number): { length: number; seconds: number } | null {
  const [sync = 0, kind = 0, rates = 0] = all.subarray(at, at + 3);
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return null;
  const version = (kind >> 3) & 3;
  const bitrate = (version === 3 ? RATES_1 : RATES_2)[(rates >> 4) - 1];
  const fullRate = SAMPLE_RATES[(rates >> 2) & 3];
  const divisor = [4, undefined, 2, 1][version];
  if (bitrate === undefined || fullRate === undefined || divisor === undefined) return null;
  const [samples, sampleRate] = [version === 3 ? 1152 : 576, fullRate / divisor];
  const length = Math.floor((samples * 125 * bitrate) / sampleRate) + ((rates >> 1) & 1);
  return { length, seconds: samples / sampleRate };
}
