import { randomBase64 } from '@paywatch/runtime';
import { setWebhookEndpoint, writeAudit, type Actor } from '@paywatch/store';
import type { Dependencies } from '../dependencies.ts';

const SECRET_BYTES = 32;

/**
 * Sets the project's one endpoint, and makes its secret: told here, and kept sealed. Throws AppError `validation_error`
 * for a target that must not be called.
 */
export async function setWebhook(
  { store, sealer, webhookGuard }: Dependencies,
  projectId: bigint,
  url: string,
  actor: Actor,
): Promise<{ url: string; secret: string; createdAt: Date }> {
  await webhookGuard.assertAllowed(url);
  const secret = `whsec_${randomBase64(SECRET_BYTES)}`;
  const endpoint = await setWebhookEndpoint(store, { projectId, url, secretSealed: sealer.seal(secret) });
  // The host alone: merchants put tokens of their own into paths and queries.
  await writeAudit(store.sql, {
    projectId,
    action: 'webhook.set',
    actor,
    detail: { host: new URL(url).host },
  });
  return { ...endpoint, secret };
}
