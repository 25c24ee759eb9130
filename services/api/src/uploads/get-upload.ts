import type { UploadType } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { loadUploadedFile } from '@paywatch/store/uploads';
import type { Dependencies } from '../dependencies.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { holdSlot } from './upload-slots.ts';

/** A client that takes nothing for this long is disconnected: it holds the file in memory. */
const STALL_MS = 15_000;

/**
 * Sends an uploaded file so that a browser treats it as a picture or a sound and as nothing else: with the type that its content was found
 * to have, never another, without script even if it is opened as a page, and as a download where it is not embedded.
 */
export function getUpload({ store, uploadSlots }: Dependencies): StreamHandler<'getUpload'> {
  return async ({ params: { uploadId }, context: { network } }, _request, response) => {
    holdSlot(uploadSlots.sent, response, network);
    const file = await loadUploadedFile(store, uploadId);
    if (file === null) throw new AppError('not_found');
    response.setTimeout(STALL_MS, () => response.destroy());
    response.setHeaders(new Map(Object.entries(headersOf(file.type, uploadId))));
    response.setHeader('Content-Length', file.content.length);
    response.end(file.content);
  };
}

/** Only the browser that loaded a file may keep it: a deleted one is in no shared cache. X-Content-Type-Options is on every response. */
function headersOf(type: UploadType, uploadId: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Content-Disposition': `attachment; filename="${uploadId}.${EXTENSIONS[type]}"`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'private, max-age=604800, immutable',
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
