import type { ApiKeyView } from '@paywatch/domain/contract';
import type { ApiKey } from '@paywatch/store/accounts';

/** An API key without its secret. */
export function apiKeyView(key: ApiKey): ApiKeyView {
  return {
    key_public: key.keyPublic,
    scope: key.scope,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
