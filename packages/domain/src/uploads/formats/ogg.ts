import { endOf, expectFormat, textAt, type Bytes } from '../bytes.ts';
import type { SoundFacts } from './wav.ts';

/** No packet ends on the page. */
const NO_POSITION = -1n;

/** Whether a file begins like an OGG. */
export function isOgg(bytes: Bytes): boolean {
  return textAt(bytes, 0, 4) === 'OggS';
}

/** Reads the pages of an OGG with one stream of Vorbis or Opus. Throws RangeError for a damaged one, and for any other stream. */
export function readOgg(bytes: Bytes): SoundFacts {
  const first = pageAt(bytes, 0);
  const { samplesPerSecond, skipped } = codecOf(bytes, first.data);
  let position = 0n;
  let at = 0;
  while (at < bytes.all.length) {
    const page = pageAt(bytes, at);
    expectFormat(page.serial === first.serial);
    if (page.position !== NO_POSITION) {
      expectFormat(page.position >= position);
      position = page.position;
    }
    at = page.end;
  }
  const samples = Number(position) - skipped;
  expectFormat(samples > 0);
  return { durationMs: (1000 * samples) / samplesPerSecond, end: at };
}

type Page = {
  readonly serial: number;
  /** Samples up to the end of the page. */
  readonly position: bigint;
  readonly data: number;
  readonly end: number;
};

function pageAt(bytes: Bytes, at: number): Page {
  const { all, view } = bytes;
  expectFormat(textAt(bytes, at, 4) === 'OggS' && view.getUint8(at + 4) === 0);
  const segments = view.getUint8(at + 26);
  const data = endOf(bytes, at, 27 + segments);
  const length = all.subarray(at + 27, data).reduce((sum, segment) => sum + segment, 0);
  const end = endOf(bytes, data, length);
  return { serial: view.getUint32(at + 14, true), position: view.getBigInt64(at + 6, true), data, end };
}

function codecOf(bytes: Bytes, at: number): { samplesPerSecond: number; skipped: number } {
  const { view } = bytes;
  if (textAt(bytes, at, 8) === 'OpusHead')
    return { samplesPerSecond: 48_000, skipped: view.getUint16(at + 10, true) };
  expectFormat(textAt(bytes, at, 7) === '\u0001vorbis');
  const samplesPerSecond = view.getUint32(at + 12, true);
  expectFormat(samplesPerSecond >= 3000 && samplesPerSecond <= 192_000);
  return { samplesPerSecond, skipped: 0 };
}
