import { randomBase64 } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import type { Credential } from '@paywatch/store/redis';
import { endpointSecretPlace, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { actorOf } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';

const SECRET_BYTES = 32;

/**
 * Sets the project's one endpoint, and makes its secret: told here, and kept sealed. Throws AppError `validation_error`
 * for a target that must not be called.
 */
export async function setWebhook(
  { store, sealer, webhookGuard }: Dependencies,
  caller: Credential,
  url: string,
): Promise<{ url: string; secret: string; createdAt: Date }> {
  await webhookGuard.assertAllowed(url);
  const secret = `whsec_${randomBase64(SECRET_BYTES)}`;
  const endpoint = await setWebhookEndpoint(store, byCredential(caller), {
    projectId: caller.projectId,
    url,
    secretSealed: sealer.seal(secret, endpointSecretPlace(caller.projectId)),
    actor: actorOf(caller),
  });
  return { ...endpoint, secret };
}
