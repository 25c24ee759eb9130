import type { MeView } from '@paywatch/domain/contract';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AccountTexts } from '../account-en.ts';
import type { Language } from '../../ui/language.ts';
import type { AccountApi } from '../api/api.ts';
import type { Navigate, RouterState } from './navigation.ts';
import type { Setup } from './setup.ts';

/** Why somebody stands before the login again. */
export type SessionEndReason = 'ended' | 'passwordChanged' | 'loggedOutEverywhere' | 'loggedOut';

/** What every screen may use. */
export type Account = {
  readonly api: AccountApi;
  readonly texts: AccountTexts;
  readonly language: Language;
  readonly router: RouterState;
  readonly navigate: Navigate;
  /** Forgets the session here; the API was told before where it had to be. */
  readonly endSession: (reason: SessionEndReason) => void;
};

/** The same once it is known who is logged in. */
export type SignedInAccount = Account & {
  readonly me: MeView;
  readonly setup: Setup;
  /** Reads both again, after something was set up. */
  readonly refresh: () => Promise<void>;
};

export const AccountContext = createContext<Account | null>(null);
export const SignedInAccountContext = createContext<SignedInAccount | null>(null);

/** The account area around a component. Throws Error outside of it. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === null) throw new Error('this is outside of the account area');
  return account;
}

/** The same, with who is logged in. Throws Error outside of the screens behind the login. */
export function useSignedInAccount(): SignedInAccount {
  const account = useContext(SignedInAccountContext);
  if (account === null) throw new Error('nobody is logged in here');
  return account;
}
