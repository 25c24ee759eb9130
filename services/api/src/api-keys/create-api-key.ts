import { randomBase58, sha256 } from '@paywatch/runtime/security';
import { byCredential, createApiKey as create, MAX_API_KEYS } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Creates an API key. Its token is returned once; only a hash of the secret part is stored. */
export function createApiKey({ store }: Dependencies): OperationHandler<'createApiKey'> {
  return async ({ caller, body: { scope }, context }) => {
    const { keyPublic, token, secretHash } = newApiKey();
    const { projectId } = caller;
    const key = await create(store, byCredential(caller, context.address), {
      projectId,
      keyPublic,
      secretHash,
      scope,
    });
    if (key === null)
      throw invalidField('body', `The project already has ${MAX_API_KEYS} active keys. Revoke one first.`);
    const view = { key_public: keyPublic, token, scope: key.scope, created_at: key.createdAt.toISOString() };
    return { status: 201, body: view };
  };
}

function newApiKey(): { keyPublic: string; token: string; secretHash: Buffer } {
  const keyPublic = randomBase58(9);
  const secret = randomBase58(32);
  return { keyPublic, token: `pw_${keyPublic}_${secret}`, secretHash: sha256(secret) };
}
