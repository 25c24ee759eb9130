import { listUploads as list } from '@paywatch/store/uploads';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { uploadView } from './upload-view.ts';

/** All uploads of a project. */
export function listUploads({ config, store }: Dependencies): OperationHandler<'listUploads'> {
  return async ({ caller: { projectId } }) => {
    const uploads = await list(store, projectId);
    return { status: 200, body: { data: uploads.map((upload) => uploadView(config, upload)) } };
  };
}
