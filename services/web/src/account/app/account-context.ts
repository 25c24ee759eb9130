import type { MeView } from '@paywatch/domain/contract';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AccountTexts } from '../account-en.ts';
import type { Language } from '../../texts/language.ts';
import type { AccountApi } from '../api/api.ts';
import type { Navigate, Place } from './navigation.ts';
import type { Setup } from './setup.ts';

/** Why somebody stands before the login again. */
export type EndReason = 'ended' | 'passwordChanged' | 'loggedOutEverywhere' | 'loggedOut';

/** What every screen may use. */
export type Account = {
  readonly api: AccountApi;
  readonly texts: AccountTexts;
  readonly language: Language;
  readonly place: Place;
  readonly navigate: Navigate;
  /** Forgets the session here; the API was told before where it had to be. */
  readonly endSession: (reason: EndReason) => void;
};

/** The same once it is known who is logged in. */
export type KnownAccount = Account & {
  readonly me: MeView;
  readonly setup: Setup;
  /** Reads both again, after something was set up. */
  readonly refresh: () => Promise<void>;
};

export const AccountContext = createContext<Account | null>(null);
export const KnownAccountContext = createContext<KnownAccount | null>(null);

/** The account area around a component. Throws Error outside of it. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === null) throw new Error('this is outside of the account area');
  return account;
}

/** The same, with who is logged in. Throws Error outside of the screens behind the login. */
export function useKnownAccount(): KnownAccount {
  const account = useContext(KnownAccountContext);
  if (account === null) throw new Error('nobody is logged in here');
  return account;
}
