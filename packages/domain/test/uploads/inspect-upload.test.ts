import { sampleGif, sampleMp3, sampleOgg, samplePicture, sampleWav } from '@paywatch/dev/testing';
import { describe, expect, test } from 'vitest';
import { inspectUpload } from '../../src/uploads/index.ts';

const WHOLE = {
  gif: sampleGif(),
  png: samplePicture('png'),
  jpeg: samplePicture('jpeg'),
  webp: samplePicture('webp'),
  wav: sampleWav(500),
  mp3: sampleMp3(20),
  ogg: sampleOgg(1500),
};
type Format = keyof typeof WHOLE;
const FORMATS = Object.keys(WHOLE) as Format[];
const kindOf = (format: Format) => (['wav', 'mp3', 'ogg'].includes(format) ? 'sound' : 'image');
const inspect = (format: Format, bytes: Buffer = WHOLE[format]) => inspectUpload(kindOf(format), bytes);

test.each([
  ['gif', { type: 'image/gif', width: 12, height: 8, durationMs: null }],
  ['png', { type: 'image/png', width: 12, height: 8, durationMs: null }],
  ['jpeg', { type: 'image/jpeg', width: 12, height: 8, durationMs: null }],
  ['webp', { type: 'image/webp', width: 12, height: 8, durationMs: null }],
  ['wav', { type: 'audio/wav', width: null, height: null, durationMs: 500 }],
  ['mp3', { type: 'audio/mpeg', width: null, height: null, durationMs: 523 }],
  ['ogg', { type: 'audio/ogg', width: null, height: null, durationMs: 1500 }],
] as const)('a whole %s is recognised by its content, with its size or length', (format, facts) => {
  expect(inspect(format)).toEqual(facts);
});

test.each(FORMATS)('a %s is refused as the other kind', (format) => {
  const other = kindOf(format) === 'image' ? 'sound' : 'image';
  expect(inspectUpload(other, WHOLE[format])).toBe('file_not_supported');
});

/** Where a cut leaves a whole sound that is shorter: between frames or pages. */
const SHORTER: Partial<Record<Format, number[]>> = {
  mp3: Array.from({ length: 18 }, (_, i) => 104 * (i + 2)),
  ogg: [WHOLE.ogg.lastIndexOf('OggS')],
};

test.each(FORMATS)('a %s that is cut off anywhere is refused', (format) => {
  const whole = WHOLE[format];
  const lengths = Array.from({ length: whole.length }, (_, length) => length);
  const accepted = lengths.filter(
    (length) => inspect(format, whole.subarray(0, length)) !== 'file_not_supported',
  );
  expect(accepted).toEqual(SHORTER[format] ?? []);
});

test.each(FORMATS)('a %s with anything behind its end is refused', (format) => {
  for (const behind of ['<script>alert(1)</script>', 'PK\u0003\u0004', '\u0000', 'GIF89a'])
    expect(inspect(format, Buffer.concat([WHOLE[format], Buffer.from(behind)])), behind).toBe(
      'file_not_supported',
    );
});

test.each(FORMATS)('a page that begins like a %s is refused', (format) => {
  const page = Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(20));
  for (const length of [2, 4, 8, 12, 16, 20, 24, 30])
    expect(inspect(format, Buffer.concat([WHOLE[format].subarray(0, length), page])), `${length}`).toBe(
      'file_not_supported',
    );
});

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['an SVG with a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a page', '<!doctype html><title>x</title>'],
  ['a PDF', '%PDF-1.7\n'],
  ['a program', '\u007fELF'],
  ['a video', '\u0000\u0000\u0000\u0018ftypmp42'],
  ['nothing', ''],
])('%s is refused', (_, text) => {
  for (const kind of ['image', 'sound'] as const)
    expect(inspectUpload(kind, Buffer.from(text, 'latin1'))).toBe('file_not_supported');
});

/** A copy with some bytes replaced. */
function changed(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

describe('image bombs', () => {
  test.each([
    ['gif', 6, [0xff, 0xff, 0xff, 0xff]],
    ['gif', 6, [0x01, 0x08, 8, 0]],
    ['png', 16, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]],
    ['jpeg', WHOLE.jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, [0xff, 0xff, 0xff, 0xff]],
    ['webp', 26, [0xff, 0x3f, 0xff, 0x3f]],
  ] as const)('a %s whose header at %i names a huge size is refused', (format, at, values) => {
    expect(inspect(format, changed(WHOLE[format], at, ...values))).toBe('image_too_large');
  });

  test('an animation whose frames are too much to draw is refused, though each is small', () => {
    const frame = sampleGif({ frames: 1 }).subarray(13 + 384 + 19, -1);
    const head = changed(sampleGif({ frames: 1 }).subarray(0, -1), 6, 0, 8, 0, 8);
    const frames = (count: number) =>
      Buffer.concat([head, ...Array.from({ length: count }, () => frame), Buffer.from(';')]);
    expect(inspect('gif', frames(60))).toMatchObject({ width: 2048, height: 2048 });
    expect(inspect('gif', frames(61))).toBe('image_too_large');
  });

  test('a frame that reaches beyond its canvas is refused, because browsers enlarge the canvas', () => {
    expect(inspect('gif', changed(WHOLE.gif, 6, 1, 0, 1, 0))).toBe('file_not_supported');
  });

  test('a progressive JPEG with hundreds of scans is refused', () => {
    const jpeg = changed(WHOLE.jpeg, WHOLE.jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, 8, 0, 8, 0);
    const scan = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), -2);
    const scans = Array.from({ length: 70 }, () => scan);
    expect(inspect('jpeg', jpeg)).toMatchObject({ width: 2048 });
    expect(inspect('jpeg', Buffer.concat([jpeg.subarray(0, -2), ...scans, jpeg.subarray(-2)]))).toBe(
      'image_too_large',
    );
  });

  test('an image of 2,048 pixels is accepted', () => {
    expect(inspect('gif', changed(WHOLE.gif, 6, 0, 8, 0, 8))).toMatchObject({ width: 2048, height: 2048 });
  });
});

describe('the length of a sound', () => {
  test.each([
    ['wav', sampleWav(10_000), sampleWav(10_001)],
    ['mp3', sampleMp3(382), sampleMp3(383)],
    ['ogg', sampleOgg(10_000), sampleOgg(10_001)],
  ] as const)('of a %s is at most 10 s', (format, longest, longer) => {
    expect(inspect(format, longest)).toMatchObject({ type: expect.stringMatching('audio/') });
    expect(inspect(format, longer)).toBe('sound_too_long');
  });

  test('is measured, whatever the byte rate of a WAV says', () => {
    expect(inspect('wav', changed(sampleWav(11_000), 28, 0xff, 0xff, 0xff, 0))).toBe('sound_too_long');
  });

  test('is measured between the tags of an MP3', () => {
    const id3 = Buffer.from('ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0008<script>', 'latin1').subarray(
      0,
      18,
    );
    const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
    expect(inspect('mp3', Buffer.concat([id3, sampleMp3(20), id3v1]))).toMatchObject({ durationMs: 523 });
    expect(inspect('mp3', Buffer.concat([id3, sampleMp3(400), id3v1]))).toBe('sound_too_long');
  });
});
