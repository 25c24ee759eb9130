import { AppError } from '@paywatch/domain/requests';

/** Of each side, in pixels: enough for a screen with three pixels in the place of one. */
const LOGO_SIDE = 512;

/** A logo as it is stored. */
export type Logo = { type: 'image/webp'; width: number; height: number; content: Buffer };

/**
 * Draws a picture anew as a still WebP, made smaller if it is larger than 512 pixels on a side. Nothing but its pixels is kept: no
 * metadata, no second frame, no bytes of the sender. Decoding runs in the thread pool. Throws AppError `file_not_supported` for a picture
 * that cannot be decoded.
 */
export async function drawLogo(file: Buffer): Promise<Logo> {
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90, alphaQuality: 100 })
      .toBuffer({ resolveWithObject: true });
    return { type: 'image/webp', width: info.width, height: info.height, content: data };
  } catch {
    throw new AppError('file_not_supported');
  }
}

/** As many as an upload may have. */
const MAX_PIXELS = 2048 * 2048;

/** Loaded with the first logo: replicas that never draw one do without its memory. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
