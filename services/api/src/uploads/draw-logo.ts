import { UPLOAD_LIMITS } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import type { Sharp, default as SharpFunction } from 'sharp';
import { createFairQueue } from '../concurrency/fair-queue.ts';

/** A logo as it is stored. */
type Logo = { type: 'image/webp'; width: number; height: number; content: Buffer };

/**
 * Draws a picture anew as a still WebP, made smaller if it is larger than 512 pixels on a side. Nothing but its pixels is kept: no
 * metadata, no second frame, no bytes of the sender. Throws AppError `file_not_supported` for a picture that cannot be decoded, and
 * `service_unavailable` when too many wait.
 */
export type DrawLogo = (owner: string, file: Buffer) => Promise<Logo>;

/** Of each side, in pixels: enough for a screen with three pixels in the place of one. */
const LOGO_SIDE = 512;
/** Of WebP, best first: noise needs more bytes than an upload may have. */
const QUALITIES = [90, 60, 20] as const;
const TIMEOUT_SECONDS = 5;

/**
 * One picture at a time: decoding takes tenths of a second in the thread pool, in which passwords are hashed, too. `owner` is whose turn
 * it is.
 */
export function createLogoDrawer(): DrawLogo {
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: 16,
    maxWaitingPerOwner: 2,
    queueFull: () =>
      new AppError('service_unavailable', 'Too many pictures at the moment.', { retryAfterSeconds: 2 }),
  });
  return (owner, file) => queue(owner, () => drawLogo(file));
}

async function drawLogo(file: Buffer): Promise<Logo> {
  const draw = await loadSharp();
  try {
    for (const quality of QUALITIES) {
      const logo = await encode(draw(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' }), quality);
      if (logo.content.length <= UPLOAD_LIMITS.maxBytes) return logo;
    }
  } catch {
    // Not logged: sharp's errors describe the file and contain paths of this machine.
  }
  throw new AppError('file_not_supported');
}

async function encode(picture: Sharp, quality: number): Promise<Logo> {
  const { data, info } = await picture
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality, alphaQuality: quality })
    .toBuffer({ resolveWithObject: true });
  return { type: 'image/webp', width: info.width, height: info.height, content: data };
}

/** As many as an upload may have. */
const MAX_PIXELS = UPLOAD_LIMITS.maxSide ** 2;

/** Loaded with the first logo: replicas that never draw one do without its memory. */
async function loadSharp(): Promise<typeof SharpFunction> {
  const { default: loaded } = await import('sharp');
  loaded.cache(false);
  loaded.concurrency(1);
  return loaded;
}
