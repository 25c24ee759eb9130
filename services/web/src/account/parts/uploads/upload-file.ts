import type { UploadKind, UploadView } from '@paywatch/domain/contract';
import { UPLOAD_LIMITS } from '@paywatch/domain/limits';

/** What the file picker offers. The API decides by the content. */
export const ACCEPTED_FILES = '.gif,.webp,.png,.jpg,.jpeg,.mp3,.ogg,.oga,.opus,.wav';

/** What a file is uploaded as, by its name. Pure. */
export function kindOfFile(name: string): UploadKind {
  return /\.(mp3|ogg|oga|opus|wav)$/i.test(name) ? 'sound' : 'image';
}

/** Whether the API would refuse the file for its size. Pure. */
export function isFileTooLarge(bytes: number): boolean {
  return bytes > UPLOAD_LIMITS.maxBytes;
}

/** A size in kilobytes, rounded up: a file that is too large never seems to fit. Pure. */
export function fileSize(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}

/** Where this page loads an upload from: the URL of the API may name another host. Pure. */
export function uploadPath({ url }: Pick<UploadView, 'url'>): string {
  return new URL(url).pathname;
}
