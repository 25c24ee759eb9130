import { AppError } from '@paywatch/domain/requests';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import { byRecentProof } from '@paywatch/store/accounts';
import { createEndpoint } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newSigningSecret } from '../webhooks/signing-secret.ts';
import { endpointView } from './endpoint-view.ts';

/** Adds a webhook endpoint. Its secret is returned once and stored encrypted. */
export function createWebhookEndpoint({
  store,
  sealer,
  webhookGuard,
}: Dependencies): OperationHandler<'createWebhookEndpoint'> {
  return async ({ caller, body, context }) => {
    await webhookGuard.assertAllowed(body.url);
    const secret = newSigningSecret();
    const endpoint = await createEndpoint(store, byRecentProof(caller, context.address), {
      projectId: caller.projectId,
      publicId: publicId('we_', secureRandomBytes(16)),
      url: body.url,
      description: body.description ?? '',
      eventTypes: body.event_types && [...new Set(body.event_types)],
      seal: (place) => sealer.seal(secret, place),
    });
    if (endpoint === null) throw new AppError('too_many_endpoints');
    return { status: 201, body: { ...endpointView(endpoint), secret } };
  };
}
