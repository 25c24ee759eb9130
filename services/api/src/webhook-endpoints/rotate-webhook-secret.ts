import { byRecentProof } from '@paywatch/store/accounts';
import { rotateEndpointSecret } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newSigningSecret } from '../webhooks/signing-secret.ts';
import { endpointView } from './endpoint-view.ts';
import { existing } from './get-webhook-endpoint.ts';

/** Replaces the secret of a webhook endpoint. The new one is returned once; the old one still signs for 24 hours. */
export function rotateWebhookSecret({
  store,
  sealer,
}: Dependencies): OperationHandler<'rotateWebhookSecret'> {
  return async ({ caller, params, context }) => {
    const secret = newSigningSecret();
    const name = { projectId: caller.projectId, publicId: params.endpointId };
    const rotated = await rotateEndpointSecret(store, byRecentProof(caller, context.address), name, (place) =>
      sealer.seal(secret, place),
    );
    return { status: 200, body: { ...endpointView(existing(rotated)), secret } };
  };
}
