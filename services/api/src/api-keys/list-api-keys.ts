import { listApiKeys as list } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { apiKeyView } from './api-key-view.ts';

/** The API keys of a project, revoked ones included. */
export function listApiKeys({ store }: Dependencies): OperationHandler<'listApiKeys'> {
  return async ({ caller, query: { limit, cursor } }) => {
    const keys = await list(store, caller.projectId, { limit: limit + 1, after: cursor ?? null });
    if (keys === null) throw unknownCursor();
    return { status: 200, body: pageOf(keys.map(apiKeyView), limit, (key) => key.key_public) };
  };
}
