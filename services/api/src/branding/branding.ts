import { byRecentProof } from '@paywatch/store/accounts';
import { changeBranding, loadBranding } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** The branding of the caller's payment pages. */
export function getBranding({ store }: Dependencies): OperationHandler<'getBranding'> {
  return async ({ caller: { projectId } }) => ({ status: 200, body: await loadBranding(store, projectId) });
}

/** Changes the branding of the caller's payment pages. */
export function updateBranding({ store }: Dependencies): OperationHandler<'updateBranding'> {
  return async ({ caller, body, context }) => {
    // Payers trust what these pages show.
    const authorize = byRecentProof(caller, context.address);
    const branding = await changeBranding(store, authorize, caller.projectId, body);
    if (branding === null)
      throw invalidField('body.logo', 'Must be the id of a logo that was uploaded here.');
    return { status: 200, body: branding };
  };
}
