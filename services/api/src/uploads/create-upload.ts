import { AppError } from '@paywatch/domain/requests';
import { inspectUpload } from '@paywatch/domain/uploads';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { createUpload as create } from '@paywatch/store/uploads';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { uploadView } from './upload-view.ts';

/** Stores a picture or a sound, if its content is one. */
export function createUpload({ config, store, drawLogo }: Dependencies): OperationHandler<'createUpload'> {
  return async ({ caller, query: { kind, name = '' }, file, context }) => {
    const inspected = inspectUpload(kind, file);
    if (typeof inspected === 'string') throw new AppError(inspected);
    const stored = kind === 'logo' ? await drawLogo(String(caller.projectId), file) : { content: file };
    const created = await create(store, byCredential(caller, context.address), {
      ...inspected,
      ...stored,
      projectId: caller.projectId,
      publicId: publicId('upl_', secureRandomBytes(16)),
      kind,
      name,
    });
    if (created === null) throw new AppError('too_many_uploads');
    return { status: 201, body: uploadView(config, created) };
  };
}
