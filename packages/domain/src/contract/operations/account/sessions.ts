import { doneViewSchema } from '../../resources/account/auth.ts';
import { reauthenticationViewSchema } from '../../resources/account/second-factors.ts';
import {
  confirmPasswordBodySchema,
  endedSessionsViewSchema,
  sessionListSchema,
  sessionParamsSchema,
} from '../../resources/account/sessions.ts';
import type { Operation } from '../operation.ts';

/** The open sessions of an account: where it is logged in. */
export const sessionOperations = {
  listSessions: {
    method: 'get',
    path: '/v1/sessions',
    tag: 'Account',
    summary: 'List open sessions',
    description: 'Where the account is logged in, with the device, the address and the last use.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account'],
    responses: { 200: { description: 'The sessions, the one used last first.', schema: sessionListSchema } },
    errors: [],
  },
  endSession: {
    method: 'delete',
    path: '/v1/sessions/{sessionId}',
    tag: 'Account',
    summary: 'End a session',
    description: 'It is accepted nowhere any more once this answers. It may be the session of this request.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account'],
    params: sessionParamsSchema,
    unknownParam: 'session_not_found',
    responses: { 200: { description: 'The session has ended, everywhere.', schema: doneViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  logoutOthers: {
    method: 'post',
    path: '/v1/auth/logout-others',
    tag: 'Account',
    summary: 'End every other session of the account',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account'],
    responses: { 200: { description: 'Only this session is left.', schema: endedSessionsViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  confirmPassword: {
    method: 'post',
    path: '/v1/auth/confirm-password',
    tag: 'Account',
    summary: 'Give the password again',
    description:
      'Only the account area needs it, for accounts without a second factor: changes of wallets, webhook endpoints, API keys, members and factors, and ending other sessions, with its cookie need a password that was given within the last ten minutes; the login counts. They answer 403 `password_required` otherwise. Bearer tokens are not asked.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account', 'password_change'],
    body: confirmPasswordBodySchema,
    responses: {
      200: { description: 'The session may make changes.', schema: reauthenticationViewSchema },
    },
    errors: ['invalid_credentials'],
  },
} as const satisfies Record<string, Operation>;
