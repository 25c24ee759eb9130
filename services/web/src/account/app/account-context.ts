import type { MeView, ProjectSummaryView } from '@paywatch/domain/contract';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AccountTexts } from '../account-en.ts';
import type { Language } from '../../ui/language.ts';
import type { AccountApi } from '../api/api.ts';
import type { Navigate, RouterState } from './navigation.ts';
import type { Setup } from './setup.ts';

/** Why the session ended; shown on the login page. */
export type SessionEndReason =
  'ended' | 'passwordChanged' | 'loggedOutEverywhere' | 'loggedOut' | 'accountDeleted';

/** What every screen can use. */
export type Account = {
  readonly api: AccountApi;
  readonly texts: AccountTexts;
  readonly language: Language;
  readonly router: RouterState;
  readonly navigate: Navigate;
  readonly isLoggedIn: boolean;
  /** Switches this tab to a project; null for the first one of the account. */
  readonly chooseProject: (id: string | null) => void;
  /** Whether the account lost access to the project of this tab, which then went back to the first one. */
  readonly isProjectLost: boolean;
  /** Shows the login in all tabs of this browser. The caller ends it on the server first where needed. */
  readonly endSession: (reason: SessionEndReason) => void;
};

/** The same for screens behind the login. */
export type SignedInAccount = Account & {
  readonly me: MeView;
  /** All projects of the account. */
  readonly projects: readonly ProjectSummaryView[];
  readonly setup: Setup;
  /** Reloads `me` and `setup`. */
  readonly refresh: () => Promise<void>;
};

export const AccountContext = createContext<Account | null>(null);
export const SignedInAccountContext = createContext<SignedInAccount | null>(null);

/** The context of the account area. Throws Error outside of it. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === null) throw new Error('used outside of the account area');
  return account;
}

/** The context of the screens behind the login. Throws Error outside of them. */
export function useSignedInAccount(): SignedInAccount {
  const account = useContext(SignedInAccountContext);
  if (account === null) throw new Error('used outside of the screens behind the login');
  return account;
}
