import { AppError } from '@paywatch/domain/requests';
import { endAllSessions, endSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { changeOwnPassword } from './change-password.ts';
import { login } from './login.ts';
import { register } from './register.ts';

const DONE = { ok: true } as const;

/** Accounts and sessions. */
export function bindAuth(operations: OperationRouter, dependencies: Dependencies): void {
  const { store } = dependencies;

  operations.handle({
    register: async ({ body, context }) => {
      await register(dependencies, body, context.network);
      return { status: 201, body: DONE };
    },

    login: async ({ body, context }) => {
      const { token, expiresAt } = await login(dependencies, body, context.network);
      return { status: 200, body: { session_token: token, expires_at: expiresAt.toISOString() } };
    },

    logout: async ({ caller }) => {
      await endSession(store, caller.tokenHash);
      return { status: 200, body: DONE };
    },

    logoutAll: async ({ caller }) => {
      if (!(await endAllSessions(store, caller.tokenHash))) throw new AppError('unauthorized');
      return { status: 200, body: DONE };
    },

    changePassword: async ({ caller, body, context }) => {
      await changeOwnPassword(dependencies, caller, body, context.network);
      return { status: 200, body: DONE };
    },
  });
}
