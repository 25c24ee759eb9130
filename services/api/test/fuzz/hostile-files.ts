import {
  sampleGif,
  sampleMp3,
  sampleOgg,
  samplePicture,
  sampleWav,
  type SeededRandom,
} from '@paywatch/dev/testing';
import { UPLOAD_LIMITS } from '@paywatch/domain/contract';

const WHOLE = [
  sampleGif({ frames: 20 }),
  samplePicture('png'),
  samplePicture('jpeg'),
  samplePicture('webp'),
  sampleWav(300),
  sampleMp3(50),
  sampleOgg(900),
];

/** A file that is whole, damaged in one place or another, or made to cost the one who reads its structure as much as possible. */
export function hostileFile(random: SeededRandom): Buffer {
  const whole = random.pick(WHOLE);
  switch (random.integer(6)) {
    case 0:
      return whole;
    case 1:
      return whole.subarray(0, random.integer(whole.length));
    case 2:
      return damaged(random, whole);
    case 3:
      return grown(whole, random.pick([0, 1, 0x2c, 0xff]));
    case 4:
      return grown(whole, random.integer(256)).fill(whole, whole.length);
    default:
      return Buffer.alloc(UPLOAD_LIMITS.maxBytes + random.integer(2000));
  }
}

function damaged(random: SeededRandom, whole: Buffer): Buffer {
  const copy = Buffer.from(whole);
  for (let i = 0; i < 3; i += 1)
    copy[random.integer(copy.length)] = random.pick([0, 1, 0x7f, 0xff, random.integer(256)]);
  return copy;
}

/** As long as a file may be, with the same byte over and over behind the beginning. */
function grown(whole: Buffer, byte: number): Buffer {
  return Buffer.concat([
    whole.subarray(0, -1),
    Buffer.alloc(UPLOAD_LIMITS.maxBytes - whole.length + 1, byte),
  ]);
}
