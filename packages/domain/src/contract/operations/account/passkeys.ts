import { sessionViewSchema } from '../../resources/account/auth.ts';
import {
  passkeyCreationViewSchema,
  passkeyRequestViewSchema,
} from '../../resources/account/passkey-options.ts';
import {
  addPasskeyBodySchema,
  passkeyLoginBodySchema,
  passkeyOptionsBodySchema,
} from '../../resources/account/passkeys.ts';
import { confirmedFactorViewSchema } from '../../resources/account/second-factors.ts';
import type { Operation } from '../operation.ts';

/** WebAuthn: each use begins with options, whose challenge works once and for five minutes. */
export const passkeyOperations = {
  startPasskeyLogin: {
    method: 'post',
    path: '/v1/auth/login/passkey/options',
    tag: 'Account',
    summary: 'Start a login with a passkey alone',
    description: 'The options name no account: the reader chooses one of the passkeys that the device has.',
    auth: 'none',
    rateLimits: ['login'],
    responses: { 200: { description: 'Options with a new challenge.', schema: passkeyRequestViewSchema } },
    errors: ['passkeys_unavailable'],
  },
  loginWithPasskey: {
    method: 'post',
    path: '/v1/auth/login/passkey',
    tag: 'Account',
    summary: 'Log in with a passkey alone',
    description:
      'Needs a passkey that the device stores and that verified its user, by fingerprint or PIN. It counts as a second factor, too. Wrong answers are limited like wrong passwords.',
    auth: 'none',
    rateLimits: ['login'],
    body: passkeyLoginBodySchema,
    responses: { 200: { description: 'A new session.', schema: sessionViewSchema } },
    errors: ['invalid_passkey', 'challenge_expired', 'passkeys_unavailable'],
  },
  startReauthentication: {
    method: 'post',
    path: '/v1/auth/reauthenticate/options',
    tag: 'Account',
    summary: 'Start to give a passkey again',
    description: 'Send the answer of the passkey to POST /v1/auth/reauthenticate.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account', 'project_change'],
    responses: { 200: { description: 'Options with a new challenge.', schema: passkeyRequestViewSchema } },
    errors: ['factor_not_found', 'passkeys_unavailable'],
  },
  startPasskey: {
    method: 'post',
    path: '/v1/second-factors/passkeys/options',
    tag: 'Account',
    summary: 'Start to add a passkey',
    description:
      'Send the new passkey to POST /v1/second-factors/passkeys. An account can have five factors.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account', 'password_change'],
    body: passkeyOptionsBodySchema,
    responses: { 200: { description: 'Options with a new challenge.', schema: passkeyCreationViewSchema } },
    errors: ['invalid_credentials', 'reauthentication_required', 'too_many_factors', 'passkeys_unavailable'],
  },
  addPasskey: {
    method: 'post',
    path: '/v1/second-factors/passkeys',
    tag: 'Account',
    summary: 'Add a passkey',
    description:
      'From then on each login needs a second factor. The first factor comes with ten recovery codes. Attestation statements are ignored.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account', 'project_change'],
    body: addPasskeyBodySchema,
    responses: {
      201: { description: 'The passkey protects the account.', schema: confirmedFactorViewSchema },
    },
    errors: [
      'invalid_passkey',
      'challenge_expired',
      'reauthentication_required',
      'too_many_factors',
      'passkey_exists',
      'passkeys_unavailable',
    ],
  },
} as const satisfies Record<string, Operation>;
