import { AppError } from '@paywatch/domain/requests';
import {
  includesRole,
  isOfProject,
  PROJECT_HEADER,
  projectIdSchema,
  type Operation,
} from '@paywatch/domain/contract';
import { equalSecrets, sha256 } from '@paywatch/runtime/security';
import { findApiKey, findSession, isOperator } from '@paywatch/store/accounts';
import { findMembership } from '@paywatch/store/members';
import {
  resolveAndCount,
  resolveSession,
  type CheckedCredential,
  type CountedCredential,
  type Credential,
  type RateLimitState,
} from '@paywatch/store/redis';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { recordKeyUse } from '../api-keys/record-key-use.ts';
import { recordSessionUse } from '../sessions/record-session-use.ts';
import { tokenOfCookie } from '../sessions/session-cookie.ts';
import { SESSION_TOKEN } from '../sessions/session-token.ts';
import { isInRanges } from '../limits/address-ranges.ts';
import { countProvisionally } from '../limits/count-network.ts';
import type { RequestContext } from './request-context.ts';

const API_KEY = /^pw_([A-Za-z0-9]{1,64})_([A-Za-z0-9]{20,128})$/;
const BEARER = /^bearer +(\S+)$/i;
const NOT_FROM_PAGE =
  'The cookie of the account area is accepted from its own pages only. Send a session token as Authorization: Bearer instead.';

const KEY_NAMES_PROJECT = 'An API key belongs to one project. Leave out the header Paywatch-Project.';

/** The caller, and the limit of its API key or project after counting this request; null for a session. */
type Authenticated = { caller: Credential; keyLimit: RateLimitState | null };

/**
 * Authenticates the caller of a protected operation. A `key` operation accepts an API key or a session, a `bearer` operation a session
 * only. Throws AppError `unauthorized`, or `forbidden` if the key may not be used from the caller's address or lacks the scope of the
 * operation or the session the role, or if another site sent the cookie of a session.
 */
export async function authenticate(
  dependencies: Dependencies,
  operation: Operation,
  request: Request,
): Promise<Authenticated> {
  const apiKey = operation.auth === 'key' ? request.headers['x-api-key'] : undefined;
  const authenticated =
    typeof apiKey === 'string'
      ? await findByApiKey(dependencies, apiKey, request.context)
      : await findBySession(dependencies, request);
  if (authenticated === null) throw new AppError('unauthorized');
  const caller = await actOnProject(dependencies, operation, authenticated.caller, request);
  assertPermitted(caller, operation);
  if (operation.role === 'operator') await assertOperator(dependencies, caller);
  return { ...authenticated, caller };
}

/**
 * The caller with the project that the request names, and its role there. Throws AppError `project_not_found` if the caller is no
 * member of it, as for an unknown id, and `forbidden` for an API key, which belongs to one project.
 */
async function actOnProject(
  { store }: Dependencies,
  operation: Operation,
  caller: Credential,
  { headers }: Request,
): Promise<Credential> {
  const named = headers[PROJECT_HEADER.toLowerCase()];
  if (named === undefined || !isOfProject(operation)) return caller;
  if (caller.kind === 'api_key') throw new AppError('forbidden', KEY_NAMES_PROJECT);
  const isId = projectIdSchema.safeParse(named).success;
  const membership = isId ? await findMembership(store, caller.accountId, String(named)) : null;
  if (membership === null) throw new AppError('project_not_found');
  return { ...caller, ...membership };
}

/** Throws AppError `forbidden` if the caller is not an operator of the deployment. */
async function assertOperator({ store }: Dependencies, caller: Credential): Promise<void> {
  if (caller.kind === 'session' && (await isOperator(store, caller.accountId))) return;
  throw new AppError('forbidden', 'Only operators of this deployment may call this.');
}

/** An API key may call the operations of its scopes, a session those of its account and of its role in the project. */
function assertPermitted(credential: Credential, { scope, role }: Operation): void {
  if (credential.kind === 'session') {
    if (role === undefined || role === 'account' || role === 'operator') return;
    if (includesRole(credential.role, role)) return;
    throw new AppError('forbidden', `Your role in this project is ${credential.role}; this needs ${role}.`);
  }
  if (scope === undefined || !credential.scopes.includes(scope)) throw new AppError('forbidden');
}

/** Every operation that accepts a key counts it, so one Redis script looks up the key and counts the request. */
async function findByApiKey(
  dependencies: Dependencies,
  token: string,
  { network, address }: RequestContext,
): Promise<Authenticated | null> {
  const [, keyPublic, secret] = API_KEY.exec(token) ?? [];
  if (keyPublic === undefined || secret === undefined) return null;
  const { credentialCache, limiters, credentialGuard } = dependencies;
  const hash = sha256(secret);
  const hex = hash.toString('hex');
  const keyLimiters = { key: limiters.api_key, project: limiters.project };
  const counted = await resolveAndCount(credentialCache, keyLimiters, hex, () =>
    credentialGuard(hex, network, () => loadApiKey(dependencies, keyPublic, hash)),
  );
  // The cache is keyed by the secret alone, so a token with the public part of another key must be refused here.
  const caller = counted?.credential;
  if (!counted || caller?.kind !== 'api_key' || caller.keyPublic !== keyPublic) return null;
  if (caller.allowedAddresses !== null && !isInRanges(address, caller.allowedAddresses))
    await refuseAddress(dependencies, counted, network);
  recordKeyUse(dependencies, caller.apiKeyId, address);
  return { caller, keyLimit: counted.limit };
}

/**
 * Refuses a key that is used from an address that it does not allow. The request counts for the network instead of the key, so that a
 * thief of the key cannot use up its limit.
 */
async function refuseAddress(
  { limiters }: Dependencies,
  { giveBack }: CountedCredential,
  network: string,
): Promise<never> {
  await giveBack();
  await countProvisionally(limiters, 'unknown_credential', network);
  throw new AppError('forbidden', 'This API key may not be used from your address.');
}

async function loadApiKey(
  { store }: Dependencies,
  keyPublic: string,
  hash: Uint8Array,
): Promise<CheckedCredential | null> {
  const key = await findApiKey(store, keyPublic);
  if (key === null || key.isRevoked || !equalSecrets(key.secretHash, hash)) return null;
  const { apiKeyId, projectId, scope, scopes, allowedAddresses, validForMs } = key;
  if (validForMs !== null && validForMs <= 0) return null;
  const credential = {
    kind: 'api_key',
    apiKeyId,
    keyPublic,
    projectId,
    scope,
    scopes,
    allowedAddresses,
  } as const;
  return { credential, validForMs };
}

async function findBySession(dependencies: Dependencies, request: Request): Promise<Authenticated | null> {
  const { store, credentialCache, credentialGuard, config } = dependencies;
  const { context } = request;
  const given = sessionOf(dependencies, request);
  if (given === null) return null;
  const hash = sha256(given.token).toString('hex');
  const session = await resolveSession(credentialCache, hash, () =>
    credentialGuard(hash, context.network, () => findSession(store, hash, config.env.SESSION_IDLE_SECONDS)),
  );
  if (session?.kind !== 'session') return null;
  recordSessionUse(dependencies, hash, context);
  return { caller: given.isPage ? { ...session, isPage: true } : session, keyLimit: null };
}

type GivenSession = { token: string; isPage: boolean };

/**
 * The session token of a request. Browsers send the cookie without being asked, so a credential in a header wins. Throws AppError
 * `forbidden` for a cookie that no page of the account area sent.
 */
function sessionOf(dependencies: Dependencies, { headers, context }: Request): GivenSession | null {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined)
    return bearerOf(headers.authorization);
  const token = tokenOfCookie(dependencies, headers.cookie);
  if (token === null) return null;
  if (!context.isPage) throw new AppError('forbidden', NOT_FROM_PAGE);
  return { token, isPage: true };
}

function bearerOf(authorization: string | undefined): GivenSession | null {
  const [, token = ''] = BEARER.exec(authorization ?? '') ?? [];
  return SESSION_TOKEN.test(token) ? { token, isPage: false } : null;
}
