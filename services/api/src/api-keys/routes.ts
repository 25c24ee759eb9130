import { AppError } from '@paywatch/domain/requests';
import type { ApiKeyView } from '@paywatch/domain/contract';
import {
  byCredential,
  createApiKey,
  listApiKeys,
  MAX_API_KEYS,
  revokeApiKey,
  type ApiKey,
} from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { invalidField } from '../validation-problem.ts';
import { newApiKey } from './new-api-key.ts';

/** The credentials of a project's own servers. */
export function bindApiKeys(operations: OperationRouter, { store }: Dependencies): void {
  operations.handle({
    createApiKey: async ({ caller, body }) => {
      const { keyPublic, token, secretHash } = newApiKey();
      const { projectId } = caller;
      const key = await createApiKey(store, byCredential(caller), {
        projectId,
        keyPublic,
        secretHash,
        scope: body.scope,
      });
      if (key === null)
        throw invalidField('body', `The project has ${MAX_API_KEYS} keys that work. Revoke one first.`);
      const view = {
        key_public: keyPublic,
        token,
        scope: key.scope,
        created_at: key.createdAt.toISOString(),
      };
      return { status: 201, body: view };
    },

    listApiKeys: async ({ caller, query }) => {
      const { limit, cursor } = query;
      const keys = await listApiKeys(store, caller.projectId, { limit: limit + 1, after: cursor ?? null });
      if (keys === null) throw unknownCursor();
      return { status: 200, body: pageOf(keys.map(apiKeyView), limit, (key) => key.key_public) };
    },

    revokeApiKey: async ({ caller, params }) => {
      const key = await revokeApiKey(store, byCredential(caller), caller.projectId, params.keyPublic);
      if (key === null) throw new AppError('key_not_found');
      return { status: 200, body: apiKeyView(key) };
    },
  });
}

function apiKeyView(key: ApiKey): ApiKeyView {
  return {
    key_public: key.keyPublic,
    scope: key.scope,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
