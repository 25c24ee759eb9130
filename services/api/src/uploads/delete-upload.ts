import { AppError } from '@paywatch/domain/requests';
import { byCredential } from '@paywatch/store/accounts';
import { deleteUpload as deleteStored } from '@paywatch/store/uploads';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { uploadView } from './upload-view.ts';

/** Deletes an upload. Its URL is gone at once. */
export function deleteUpload({ config, store }: Dependencies): OperationHandler<'deleteUpload'> {
  return async ({ caller, params, context }) => {
    const name = { projectId: caller.projectId, publicId: params.uploadId };
    const deleted = await deleteStored(store, byCredential(caller, context.address), name);
    if (deleted === null) throw new AppError('upload_not_found');
    return { status: 200, body: uploadView(config, deleted) };
  };
}
