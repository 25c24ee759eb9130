import type { DoneView } from '../../../resources/account/auth.ts';
import type { OpenSessionView } from '../../../resources/account/sessions.ts';
import type { OperationExample } from '../operation-example.ts';

/** The session of the request. */
export const openSession: OpenSessionView = {
  session_id: '5f0d9a36-6c1b-4b0e-9a53-3c1d2f7e8a90',
  device: 'Firefox on Linux',
  ip: '203.0.113.7',
  created_at: '2026-11-20T09:00:00.000Z',
  last_used_at: '2026-11-20T12:00:00.000Z',
  current: true,
};
const done: DoneView = { ok: true };

/** Of the open sessions. */
export const sessionExamples = {
  listSessions: { response: { data: [openSession] } },
  endSession: { response: done },
  logoutOthers: { response: { ended: 2 } },
  confirmPassword: {
    request: { current_password: 'correct horse battery staple' },
    response: { valid_until: '2026-11-20T12:10:00.000Z' },
  },
} as const satisfies Record<string, OperationExample>;
