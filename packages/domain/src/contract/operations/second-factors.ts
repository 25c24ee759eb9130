import { doneViewSchema, sessionViewSchema } from '../resources/account/auth.ts';
import {
  reauthenticateBodySchema,
  renameFactorBodySchema,
  verifyLoginBodySchema,
} from '../resources/account/passkeys.ts';
import {
  addFactorBodySchema,
  confirmedFactorViewSchema,
  factorCodeBodySchema,
  factorListSchema,
  factorParamsSchema,
  newFactorViewSchema,
  factorViewSchema,
  reauthenticationViewSchema,
  recoveryCodesViewSchema,
} from '../resources/account/second-factors.ts';
import type { Operation } from './operation.ts';

/** Authenticator apps, recovery codes and what they have in common with passkeys: what protects an account beside its password. */
export const secondFactorOperations = {
  verifyLogin: {
    method: 'post',
    path: '/v1/auth/login/verify',
    tag: 'Account',
    summary: 'Finish a login with a second factor',
    description:
      'For accounts with a second factor, POST /v1/auth/login answers 401 `second_factor_required` with a challenge. Send it with a code, or with the answer of a passkey to the options in `second_factor.passkey`, to get the session. Each code works once.',
    auth: 'none',
    rateLimits: ['login'],
    body: verifyLoginBodySchema,
    responses: { 200: { description: 'A new session.', schema: sessionViewSchema } },
    errors: ['invalid_code', 'invalid_passkey', 'challenge_expired', 'passkeys_unavailable'],
  },
  reauthenticate: {
    method: 'post',
    path: '/v1/auth/reauthenticate',
    tag: 'Account',
    summary: 'Give a second factor again',
    description:
      'Changes of wallets, the webhook endpoint, API keys, email, password and second factors need a factor that was given within the last ten minutes; a login with a factor counts. They answer 403 `reauthentication_required` otherwise.',
    auth: 'bearer',
    rateLimits: ['account', 'password_change'],
    body: reauthenticateBodySchema,
    responses: {
      200: { description: 'The session may make changes.', schema: reauthenticationViewSchema },
    },
    errors: ['invalid_code', 'invalid_passkey', 'challenge_expired', 'passkeys_unavailable'],
  },
  listSecondFactors: {
    method: 'get',
    path: '/v1/second-factors',
    tag: 'Account',
    summary: 'List second factors',
    auth: 'bearer',
    rateLimits: ['account'],
    responses: { 200: { description: 'The factors that protect the account.', schema: factorListSchema } },
    errors: [],
  },
  addSecondFactor: {
    method: 'post',
    path: '/v1/second-factors',
    tag: 'Account',
    summary: 'Add an authenticator app',
    description:
      'It protects nothing until it is confirmed with a code, within 30 minutes. An account can have five factors.',
    auth: 'bearer',
    rateLimits: ['account', 'password_change'],
    body: addFactorBodySchema,
    responses: { 201: { description: 'The factor, with its secret.', schema: newFactorViewSchema } },
    errors: ['invalid_credentials', 'reauthentication_required', 'too_many_factors'],
  },
  confirmSecondFactor: {
    method: 'post',
    path: '/v1/second-factors/{factorId}/confirm',
    tag: 'Account',
    summary: 'Confirm an authenticator app',
    description:
      'From then on each login needs a second factor. The first factor comes with ten recovery codes.',
    auth: 'bearer',
    rateLimits: ['account', 'password_change'],
    params: factorParamsSchema,
    unknownParam: 'factor_not_found',
    body: factorCodeBodySchema,
    responses: {
      200: { description: 'The factor protects the account.', schema: confirmedFactorViewSchema },
    },
    errors: ['invalid_code', 'reauthentication_required', 'too_many_factors'],
  },
  renameSecondFactor: {
    method: 'patch',
    path: '/v1/second-factors/{factorId}',
    tag: 'Account',
    summary: 'Rename a second factor',
    auth: 'bearer',
    rateLimits: ['account', 'project_change'],
    params: factorParamsSchema,
    unknownParam: 'factor_not_found',
    body: renameFactorBodySchema,
    responses: { 200: { description: 'The factor with its new name.', schema: factorViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  removeSecondFactor: {
    method: 'delete',
    path: '/v1/second-factors/{factorId}',
    tag: 'Account',
    summary: 'Remove a second factor',
    description:
      'With the last factor, the recovery codes are removed, too, and a login needs the password only.',
    auth: 'bearer',
    rateLimits: ['account', 'project_change'],
    params: factorParamsSchema,
    unknownParam: 'factor_not_found',
    responses: { 200: { description: 'The factor is removed.', schema: doneViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  replaceRecoveryCodes: {
    method: 'post',
    path: '/v1/recovery-codes',
    tag: 'Account',
    summary: 'Replace the recovery codes',
    description: 'The old ones stop working. Needs a second factor.',
    auth: 'bearer',
    rateLimits: ['account', 'project_change'],
    responses: { 200: { description: 'Ten new codes.', schema: recoveryCodesViewSchema } },
    errors: ['reauthentication_required', 'password_required', 'factor_not_found'],
  },
} as const satisfies Record<string, Operation>;
