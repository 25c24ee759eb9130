import { AppError } from '@paywatch/domain/requests';
import type { Operation } from '@paywatch/domain/contract';
import { equalSecrets, sha256 } from '@paywatch/runtime/security';
import { findApiKey, findSession } from '@paywatch/store/accounts';
import {
  resolveAndCount,
  resolveCredential,
  type CheckedCredential,
  type Credential,
  type RateLimitState,
} from '@paywatch/store/redis';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { recordKeyUse } from '../api-keys/record-key-use.ts';

const API_KEY = /^pw_([A-Za-z0-9]{1,64})_([A-Za-z0-9]{20,128})$/;
const BEARER = /^bearer +(ses_[A-Za-z0-9_-]{43})$/i;

/** The caller, and the rate limit of its API key after counting this request; null for a session. */
type Authenticated = { caller: Credential; keyLimit: RateLimitState | null };

/**
 * Authenticates the caller of a protected operation. A `key` operation accepts an API key or a session, a `bearer` operation a session
 * only. Throws AppError `unauthorized`, or `forbidden` if the scope of the key does not include the operation.
 */
export async function authenticate(
  dependencies: Dependencies,
  operation: Operation,
  request: Request,
): Promise<Authenticated> {
  const apiKey = operation.auth === 'key' ? request.headers['x-api-key'] : undefined;
  const authenticated =
    typeof apiKey === 'string'
      ? await findByApiKey(dependencies, apiKey, request.context.network)
      : await findBySession(dependencies, request.headers.authorization, request.context.network);
  if (authenticated === null) throw new AppError('unauthorized');
  assertScope(authenticated.caller, operation);
  return authenticated;
}

/** An API key of scope `invoices` may call the operations of that scope only. A session may call all operations. */
function assertScope(credential: Credential, operation: Operation): void {
  if (credential.kind === 'api_key' && credential.scope === 'invoices' && operation.scope !== 'invoices') {
    throw new AppError('forbidden');
  }
}

/** Every operation that accepts a key counts it, so one Redis script looks up the key and counts the request. */
async function findByApiKey(
  dependencies: Dependencies,
  token: string,
  network: string,
): Promise<Authenticated | null> {
  const [, keyPublic, secret] = API_KEY.exec(token) ?? [];
  if (keyPublic === undefined || secret === undefined) return null;
  const { credentialCache, limiters, credentialGuard } = dependencies;
  const hash = sha256(secret);
  const hex = hash.toString('hex');
  const counted = await resolveAndCount(credentialCache, limiters.api_key, hex, () =>
    credentialGuard(hex, network, () => loadApiKey(dependencies, keyPublic, hash)),
  );
  // The cache is keyed by the secret alone, so a token with the public part of another key must be refused here.
  const caller = counted?.credential;
  if (!counted || caller?.kind !== 'api_key' || caller.keyPublic !== keyPublic) return null;
  recordKeyUse(dependencies, caller.apiKeyId);
  return { caller, keyLimit: counted.limit };
}

async function loadApiKey(
  { store }: Dependencies,
  keyPublic: string,
  hash: Uint8Array,
): Promise<CheckedCredential | null> {
  const key = await findApiKey(store, keyPublic);
  if (key === null || key.isRevoked || !equalSecrets(key.secretHash, hash)) return null;
  const { apiKeyId, projectId, scope } = key;
  return { credential: { kind: 'api_key', apiKeyId, keyPublic, projectId, scope }, validForMs: null };
}

async function findBySession(
  { store, credentialCache, credentialGuard }: Dependencies,
  authorization: string | undefined,
  network: string,
): Promise<Authenticated | null> {
  const [, token] = BEARER.exec(authorization ?? '') ?? [];
  if (token === undefined) return null;
  const hash = sha256(token).toString('hex');
  const caller = await resolveCredential(credentialCache, hash, () =>
    credentialGuard(hash, network, () => findSession(store, hash)),
  );
  return caller?.kind === 'session' ? { caller, keyLimit: null } : null;
}
