import type { ApiKeyView } from '@paywatch/domain/contract';
import type { ApiKey } from '@paywatch/store/accounts';

/** An API key without its secret. */
export function apiKeyView(key: ApiKey): ApiKeyView {
  return {
    ...apiKeyTermsView(key),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedIp,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

/** What is fixed when a key is created. */
export function apiKeyTermsView(key: ApiKey) {
  return {
    key_public: key.keyPublic,
    name: key.name === '' ? null : key.name,
    scope: key.scope,
    scopes: [...key.scopes],
    expires_at: key.expiresAt?.toISOString() ?? null,
    allowed_addresses: key.allowedAddresses && [...key.allowedAddresses],
    created_at: key.createdAt.toISOString(),
  };
}
