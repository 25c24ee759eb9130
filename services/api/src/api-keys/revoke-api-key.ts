import { AppError } from '@paywatch/domain/requests';
import { byRecentProof, revokeApiKey as revoke } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { apiKeyView } from './api-key-view.ts';

/** Revokes an API key: no replica accepts it once this has answered. */
export function revokeApiKey({ store }: Dependencies): OperationHandler<'revokeApiKey'> {
  return async ({ caller, params, context }) => {
    const key = await revoke(
      store,
      byRecentProof(caller, context.address),
      caller.projectId,
      params.keyPublic,
    );
    if (key === null) throw new AppError('key_not_found');
    return { status: 200, body: apiKeyView(key) };
  };
}
