import { randomToken } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { rotateToken } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { tokenUrl } from '../me/get-me.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Replaces the token in the public link of the donation page or the overlay. The old link stops working. */
export function rotateProjectToken({ store, config }: Dependencies): OperationHandler<'rotateProjectToken'> {
  return async ({ caller, params: { kind }, context }) => {
    const token = randomToken(16);
    await rotateToken(store, byCredential(caller, context.address), caller.projectId, kind, token);
    return { status: 200, body: { kind, token, url: tokenUrl(config, kind, token) } };
  };
}
