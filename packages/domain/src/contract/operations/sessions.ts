import { doneViewSchema } from '../resources/account/auth.ts';
import {
  endedSessionsViewSchema,
  sessionListSchema,
  sessionParamsSchema,
} from '../resources/account/sessions.ts';
import type { Operation } from './operation.ts';

/** The open sessions of an account: where it is logged in. */
export const sessionOperations = {
  listSessions: {
    method: 'get',
    path: '/v1/sessions',
    tag: 'Account',
    summary: 'List open sessions',
    description: 'Where the account is logged in, with the device, the address and the last use.',
    auth: 'bearer',
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
    rateLimits: ['account'],
    params: sessionParamsSchema,
    unknownParam: 'session_not_found',
    responses: { 200: { description: 'The session has ended, everywhere.', schema: doneViewSchema } },
    errors: [],
  },
  logoutOthers: {
    method: 'post',
    path: '/v1/auth/logout-others',
    tag: 'Account',
    summary: 'End every other session of the account',
    auth: 'bearer',
    rateLimits: ['account'],
    responses: { 200: { description: 'Only this session is left.', schema: endedSessionsViewSchema } },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
