import { uploadPath, type UploadView } from '@paywatch/domain/contract';
import { timestamp } from '@paywatch/domain/invoices';
import type { Upload } from '@paywatch/store/uploads';
import type { ApiConfig } from '../config.ts';

/** An upload as its owner sees it. */
export function uploadView({ publicUrl }: Pick<ApiConfig, 'publicUrl'>, upload: Upload): UploadView {
  const { publicId, kind, name, type, bytes, width, height, durationMs, createdAt } = upload;
  return {
    id: publicId,
    kind,
    name,
    type,
    bytes,
    width,
    height,
    duration_ms: durationMs,
    url: `${publicUrl}${uploadPath(publicId)}`,
    created_at: timestamp(createdAt.getTime()),
  };
}
