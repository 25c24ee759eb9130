import type { UploadKind, UploadType } from '../contract/resources/uploads/uploads.ts';
import { UPLOAD_LIMITS } from '../contract/limits.ts';
import { bytesOf, type Bytes } from './bytes.ts';
import { isGif, readGif } from './formats/gif.ts';
import type { ImageFacts } from './formats/image.ts';
import { isJpeg, readJpeg } from './formats/jpeg.ts';
import { isMp3, readMp3 } from './formats/mp3.ts';
import { isOgg, readOgg } from './formats/ogg.ts';
import { isPng, readPng } from './formats/png.ts';
import { isWav, readWav, type SoundFacts } from './formats/wav.ts';
import { isWebp, readWebp } from './formats/webp.ts';

/** What an uploaded file is. Sides in pixels; null where the kind has none. */
export type InspectedUpload = {
  type: UploadType;
  width: number | null;
  height: number | null;
  durationMs: number | null;
};

/** Why a file is refused; the error code of the API. */
export type UploadProblem = 'file_not_supported' | 'image_too_large' | 'sound_too_long';

/**
 * Judges a file by its content: the structure of its format is read from the first to the last byte, so a file that is cut off, that
 * has anything behind its end, or that only begins like an image is refused. Nothing is decoded. Pure; the time is linear in the size.
 */
export function inspectUpload(kind: UploadKind, file: Uint8Array): InspectedUpload | UploadProblem {
  try {
    return kind === 'sound' ? inspectSound(bytesOf(file)) : inspectImage(bytesOf(file));
  } catch (error) {
    if (error instanceof RangeError) return 'file_not_supported';
    throw error;
  }
}

type Format<Type extends UploadType, Facts> = {
  type: Type;
  is: (bytes: Bytes) => boolean;
  read: (bytes: Bytes) => Facts;
};

const IMAGES: readonly Format<UploadType & `image/${string}`, ImageFacts>[] = [
  { type: 'image/gif', is: isGif, read: readGif },
  { type: 'image/png', is: isPng, read: readPng },
  { type: 'image/webp', is: isWebp, read: readWebp },
  { type: 'image/jpeg', is: isJpeg, read: readJpeg },
];

const SOUNDS: readonly Format<UploadType & `audio/${string}`, SoundFacts>[] = [
  { type: 'audio/wav', is: isWav, read: readWav },
  { type: 'audio/ogg', is: isOgg, read: readOgg },
  { type: 'audio/mpeg', is: isMp3, read: readMp3 },
];

function inspectImage(bytes: Bytes): InspectedUpload | UploadProblem {
  const format = IMAGES.find(({ is }) => is(bytes));
  if (format === undefined) return 'file_not_supported';
  const { width, height, frames, end } = format.read(bytes);
  if (end !== bytes.all.length) return 'file_not_supported';
  const isTooLarge = Math.max(width, height) > UPLOAD_LIMITS.maxSide;
  if (isTooLarge || width * height * frames > UPLOAD_LIMITS.maxPixels) return 'image_too_large';
  return { type: format.type, width, height, durationMs: null };
}

function inspectSound(bytes: Bytes): InspectedUpload | UploadProblem {
  const format = SOUNDS.find(({ is }) => is(bytes));
  if (format === undefined) return 'file_not_supported';
  const { durationMs, end } = format.read(bytes);
  if (end !== bytes.all.length) return 'file_not_supported';
  if (durationMs > UPLOAD_LIMITS.maxSoundMs) return 'sound_too_long';
  return { type: format.type, width: null, height: null, durationMs: Math.ceil(durationMs) };
}
