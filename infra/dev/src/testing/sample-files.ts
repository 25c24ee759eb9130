/** Whole small pictures and sounds that browsers can decode, for tests. */

/** A GIF of this size; each frame has one colour and is shown for 0.2 s. */
export function sampleGif({ width = 12, height = 8, frames = 2 } = {}): Buffer {
  const colours = Buffer.from(Array.from({ length: 128 }, (_, i) => [255 - i, 2 * i, i]).flat());
  const loop = Buffer.from('\u0021\u00ff\u000bNETSCAPE2.0\u0003\u0001\u0000\u0000\u0000', 'latin1');
  const all = Array.from({ length: frames }, (_, i) => gifFrame(width, height, i === 0 ? 5 : 100));
  const size = uint16(width, height);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0xf6, 0, 0]),
    colours,
    loop,
    ...all,
    Buffer.from(';'),
  ]);
}

/** The codes of LZW are one byte each as long as the table is cleared in time. */
function gifFrame(width: number, height: number, colour: number): Buffer {
  const codes: number[] = [];
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (pixel % 100 === 0) codes.push(128);
    codes.push(colour);
  }
  codes.push(129);
  const blocks: Buffer[] = [];
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  const control = Buffer.from([0x21, 0xf9, 4, 0, 20, 0, 0, 0]);
  const descriptor = Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0]),
    uint16(width, height),
    Buffer.from([0, 7]),
  ]);
  return Buffer.concat([control, descriptor, ...blocks, Buffer.from([0])]);
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAYAAADN5B7xAAAAM0lEQVR4AbyPMQoAAAgCrdf3a1sTanApEAI50WSBjhLmCRAgNs1MAaZx/c/AviCknV2pAQAA//9r+lRVAAAABklEQVQDAJ3ZKlkGzHnQAAAAAElFTkSuQmCC';
const JPEG = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j',
  'q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk',
  'pKSkpKSkpKT/wAARCAAIAAwDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAID/8QAHhAAAgEDBQAAAAAAAAAAAAAAABES',
  'AQIxAxMhImH/xAAUAQEAAAAAAAAAAAAAAAAAAAAF/8QAGxEAAgEFAAAAAAAAAAAAAAAAAQIAAxESIZH/2gAMAwEAAhEDEQA/ANNT',
  'dl0wvC7XGjyuQApqmShbDXYgtPFi1zvk/9k=',
].join('');
const WEBP = [
  'UklGRmAAAABXRUJQVlA4IFQAAACwAgCdASoMAAgABABoJbACdLoAngDd/wYw/zReMgAA/KubYHVeQU58k254IxKgufe8Hf8b6fsp',
  'r17GieR73grzrqDC/4LQ/VcGbzhl4iHtRrIAAAA=',
].join('');

/** A picture of 12 x 8 pixels that Chromium encoded. */
export function samplePicture(format: 'png' | 'jpeg' | 'webp'): Buffer {
  return Buffer.from({ png: PNG, jpeg: JPEG, webp: WEBP }[format], 'base64');
}

/** A WAV with a tone of 440 Hz. */
export function sampleWav(ms: number): Buffer {
  const rate = 8000;
  const data = Buffer.alloc(2 * Math.floor((rate * ms) / 1000));
  for (let i = 0; 2 * i < data.length; i += 1)
    data.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * 440 * i) / rate)), 2 * i);
  const format = Buffer.concat([uint16(1, 1), uint32(rate, 2 * rate), uint16(2, 16)]);
  const chunks = [
    Buffer.from('WAVEfmt '),
    uint32(format.length),
    format,
    Buffer.from('data'),
    uint32(data.length),
    data,
  ];
  const body = Buffer.concat(chunks);
  return Buffer.concat([Buffer.from('RIFF'), uint32(body.length), body]);
}

/** A silent MP3 of so many frames of 1,152 samples at 44.1 kHz. */
export function sampleMp3(frames: number): Buffer {
  const frame = Buffer.alloc(104);
  frame.set([0xff, 0xfb, 0x10, 0xc0]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** A silent OGG with Opus. */
export function sampleOgg(ms: number): Buffer {
  const skipped = 312;
  const head = Buffer.concat([
    Buffer.from('OpusHead\u0001\u0001'),
    uint16(skipped),
    uint32(48_000),
    Buffer.from([0, 0, 0]),
  ]);
  const tags = Buffer.concat([Buffer.from('OpusTags'), uint32(4), Buffer.from('test'), uint32(0)]);
  const count = Math.ceil((48 * ms + skipped) / 960);
  const packets = Array.from({ length: count }, () => Buffer.from([0xf8, 0xff, 0xfe]));
  const pages = [oggPage(0, 2, 0, [head]), oggPage(1, 0, 0, [tags])];
  for (let at = 0; at < packets.length; at += 50) {
    const page = packets.slice(at, at + 50);
    const isLast = at + 50 >= packets.length;
    const samples = isLast ? skipped + 48 * ms : 960 * (at + page.length);
    pages.push(oggPage(pages.length, isLast ? 4 : 0, samples, page));
  }
  return Buffer.concat(pages);
}

function oggPage(number: number, flags: number, samples: number, packets: readonly Buffer[]): Buffer {
  const head = Buffer.concat([
    Buffer.from([0x4f, 0x67, 0x67, 0x53, 0, flags]),
    uint32(samples, 0, 7, number, 0),
  ]);
  const segments = Buffer.from([packets.length, ...packets.map(({ length }) => length)]);
  const page = Buffer.concat([head, segments, ...packets]);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}

function oggChecksum(page: Buffer): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  }
  return crc >>> 0;
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => bytes.writeUInt16LE(value, 2 * i));
  return bytes;
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i));
  return bytes;
}
