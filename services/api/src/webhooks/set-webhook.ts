import { byRecentProof } from '@paywatch/store/accounts';
import { endpointSecretPlace, setWebhookEndpoint } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newSigningSecret } from './signing-secret.ts';

/** Sets the first webhook endpoint of a project with a new secret. The secret is returned once and stored encrypted. */
export function setWebhook({ store, sealer, webhookGuard }: Dependencies): OperationHandler<'setWebhook'> {
  return async ({ caller, body, context }) => {
    const { projectId } = caller;
    await webhookGuard.assertAllowed(body.url);
    const secret = newSigningSecret();
    const { url, createdAt } = await setWebhookEndpoint(store, byRecentProof(caller, context.address), {
      projectId,
      url: body.url,
      secretSealed: sealer.seal(secret, endpointSecretPlace(projectId)),
    });
    return { status: 201, body: { url, secret, created_at: createdAt.toISOString() } };
  };
}
