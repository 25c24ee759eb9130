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
import { noteKeyUse } from '../api-keys/note-key-use.ts';

const API_KEY = /^pw_([A-Za-z0-9]{1,64})_([A-Za-z0-9]{20,128})$/;
const BEARER = /^bearer +(ses_[A-Za-z0-9_-]{43})$/i;

/** Who calls, and where the limit of its API key stands now that this request is counted; null for a session. */
type Authenticated = { caller: Credential; keyLimit: RateLimitState | null };

/**
 * Finds out who calls a protected operation. A `key` operation takes an API key or else a session, a `bearer` one a
 * session only. Throws AppError `unauthorized`, or `forbidden` for a key whose scope does not reach the operation.
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

/** An API key of scope `invoices` reaches only what asks for no more. A session acts on its project without bounds. */
function assertScope(credential: Credential, operation: Operation): void {
  if (credential.kind === 'api_key' && credential.scope === 'invoices' && operation.scope !== 'invoices') {
    throw new AppError('forbidden');
  }
}

/** Every operation that takes a key counts it, so that both are asked of Redis at once. */
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
  // The cache is asked by the secret alone: another key's public part in front of it makes it no key.
  const caller = counted?.credential;
  if (!counted || caller?.kind !== 'api_key' || caller.keyPublic !== keyPublic) return null;
  noteKeyUse(dependencies, caller.apiKeyId);
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
