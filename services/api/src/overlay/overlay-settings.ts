import { byCredential } from '@paywatch/store/accounts';
import { changeOverlaySettings, loadOverlaySettings } from '@paywatch/store/donations';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** The settings of the caller's overlay. */
export function getOverlaySettings({ store }: Dependencies): OperationHandler<'getOverlaySettings'> {
  return async ({ caller: { projectId } }) => {
    const found = (await loadOverlaySettings(store, [projectId])).get(String(projectId));
    if (found === undefined) throw new Error(`project ${projectId} not found`);
    return { status: 200, body: found.settings };
  };
}

const UNKNOWN = {
  image: 'Must be the id of an image that you uploaded.',
  sound: 'Must be the id of a sound that you uploaded.',
};

/** Changes the settings of the caller's overlay. Open overlays get them through their stream. */
export function updateOverlaySettings({ store }: Dependencies): OperationHandler<'updateOverlaySettings'> {
  return async ({ caller, body, context }) => {
    const authorize = byCredential(caller, context.address);
    const changed = await changeOverlaySettings(store, authorize, caller.projectId, body);
    if ('unknownUpload' in changed)
      throw invalidField(`body.${changed.unknownUpload.path}`, UNKNOWN[changed.unknownUpload.kind]);
    return { status: 200, body: changed };
  };
}
