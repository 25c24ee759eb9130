import { scopeSchema, SCOPES_OF, type CreateApiKeyBody } from '@paywatch/domain/contract';
import type { Clock } from '@paywatch/runtime/process';
import { randomBase58, sha256 } from '@paywatch/runtime/security';
import {
  byRecentProof,
  createApiKey as create,
  MAX_API_KEYS,
  type KeyScope,
  type KeyTerms,
} from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import { parseAddressRange } from '../limits/address-ranges.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { apiKeyTermsView } from './api-key-view.ts';

/** Creates an API key. Its token is returned once; only a hash of the secret part is stored. */
export function createApiKey({ store, clock }: Dependencies): OperationHandler<'createApiKey'> {
  return async ({ caller, body, context }) => {
    const terms = termsOf(body, clock);
    const { token, ...secret } = newSecret();
    const { projectId } = caller;
    const key = await create(store, byRecentProof(caller, context.address), {
      ...terms,
      ...secret,
      projectId,
    });
    if (key === null)
      throw invalidField('body', `The project already has ${MAX_API_KEYS} active keys. Revoke one first.`);
    return { status: 201, body: { ...apiKeyTermsView(key), token } };
  };
}

/** Throws AppError `validation_error`. */
function termsOf(body: CreateApiKeyBody, clock: Clock): KeyTerms {
  const { name, expires_at: expiresAtMs, allowed_addresses: addresses } = body;
  if (expiresAtMs !== null && expiresAtMs <= clock.nowMs())
    throw invalidField('body.expires_at', 'Must be in the future.');
  return {
    ...scopeOf(body),
    name: name ?? '',
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    allowedAddresses: addresses && [...new Set(addresses.map(rangeOf))],
  };
}

/** In the order of the contract, so that the same scopes are stored in the same way. */
function scopeOf({ scope, scopes }: CreateApiKeyBody): KeyScope {
  if (scopes !== null)
    return { scope: 'custom', scopes: scopeSchema.options.filter((each) => scopes.includes(each)) };
  const set = scope ?? 'full';
  return { scope: set, scopes: SCOPES_OF[set] };
}

function rangeOf(text: string, index: number): string {
  const range = parseAddressRange(text);
  if (range === null)
    throw invalidField(`body.allowed_addresses.${index}`, 'Must be an IP address or a CIDR range.');
  return range;
}

function newSecret(): { keyPublic: string; token: string; secretHash: Buffer } {
  const keyPublic = randomBase58(9);
  const secret = randomBase58(32);
  return { keyPublic, token: `pw_${keyPublic}_${secret}`, secretHash: sha256(secret) };
}
