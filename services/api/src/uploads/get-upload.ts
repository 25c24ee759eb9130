import type { UploadType } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { loadUploadedFile } from '@paywatch/store/uploads';
import type { Dependencies } from '../dependencies.ts';
import type { FileHandler } from '../operation-handler.ts';
import { holdSlot } from './upload-slots.ts';

/** A client that takes nothing for this long is disconnected: it holds the file in memory. */
const STALL_MS = 15_000;

/**
 * Serves an uploaded file so that a browser treats it as a picture or a sound and as nothing else: with the type that its content was found
 * to have, never another, without script even if it is opened as a page, and as a download where it is not embedded.
 */
export function getUpload({ store, uploadSlots }: Dependencies): FileHandler<'getUpload'> {
  return async ({ params: { uploadId }, context: { network } }, response) => {
    holdSlot(uploadSlots.sent, response, network);
    const file = await loadUploadedFile(store, uploadId);
    if (file === null) throw new AppError('not_found');
    response.setTimeout(STALL_MS, () => response.destroy());
    // The content of an id never changes.
    return { content: file.content, etag: `"${uploadId}"`, headers: headersOf(file.type, uploadId) };
  };
}

/**
 * Browsers keep a file without asking again. Shared caches ask after five minutes, so that a deleted file is in none of them for longer. Nothing in a
 * response belongs to who requested it. X-Content-Type-Options is on every response.
 */
function headersOf(type: UploadType, uploadId: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Content-Disposition': `attachment; filename="${uploadId}.${EXTENSIONS[type]}"`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=31536000, s-maxage=300, immutable',
  };
}

const EXTENSIONS: Readonly<Record<UploadType, string>> = {
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
};
