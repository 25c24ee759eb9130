import type { SessionView } from '@paywatch/domain/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AccountTexts } from './account-en.ts';
import type { Language } from '../ui/language.ts';
import { AccountContext, type Account, type SessionEndReason } from './app/account-context.ts';
import { createApi } from './api/api.ts';
import { LoginScreen } from './screens/login/login-screen.tsx';
import { useRouter } from './app/navigation.ts';
import { useProof } from './app/reauthentication/use-proof.ts';
import { lazy } from './parts/lazy.tsx';
import { LoginFrame } from './frame/login-frame.tsx';
import { deleteSession, followSession, readSession, writeSession, type Session } from './app/session.ts';

/** The area behind the login, loaded separately so that the login page stays small. */
const SignedInArea = lazy(async () => (await import('./app/signed-in-area.tsx')).SignedInArea, LoginFrame);

/** Opened from mails only. */
const MailLinkArea = lazy(
  async () => (await import('./screens/mail-links/mail-link-area.tsx')).MailLinkArea,
  LoginFrame,
);

/** Needed for changes of accounts with a second factor only. */
const ReauthenticationDialog = lazy(
  async () => (await import('./app/reauthentication/reauthentication-dialog.tsx')).ReauthenticationDialog,
);

/** Needed for changes long after the login only. */
const PasswordDialog = lazy(
  async () => (await import('./app/reauthentication/password-dialog.tsx')).PasswordDialog,
);

/** What the signed-in area asks for first. */
const FIRST_REQUESTS = [
  { path: '/v1/me', query: {} },
  { path: '/v1/api-keys', query: { limit: '100' } },
  { path: '/v1/invoices', query: { limit: '1' } },
];
const OVERVIEW_REQUESTS = [...FIRST_REQUESTS, { path: '/v1/stats', query: {} }];

/** The account area: the login page, or the screens behind it. */
export function AccountApp({ texts, language }: { texts: AccountTexts; language: Language }) {
  const { router, navigate } = useRouter();
  const [session, setSession] = useState<Session | null>(() => readSession(Date.now()));
  const [reason, setReason] = useState<SessionEndReason | null>(null);
  const isLogin = router.route.screen === 'login' || router.route.screen === 'register';

  const isMailLink = router.route.screen === 'mail-link';

  const endSession = (why: SessionEndReason) => {
    if (session !== null) deleteSession(session);
    setSession(null);
    setReason(why);
    navigate('/account/login');
  };
  const proof = useProof(router.visit);
  const follow = (next: Session | null) => {
    // A change that waits for a code must not be made in another account.
    proof.end(false);
    setSession(next);
    setReason(next === null ? 'ended' : null);
  };
  useEffect(() => followSession(follow), []);
  const api = useMemo(() => {
    const created = createApi({
      onEnded: () => endSession('ended'),
      prove: proof.prove,
    });
    if (session !== null)
      created.readAhead(router.route.screen === 'overview' ? OVERVIEW_REQUESTS : FIRST_REQUESTS);
    return created;
  }, [session]);
  const begin = ({ expires_at: expiresAt }: SessionView) => {
    const begun = { expiresAtMs: Date.parse(expiresAt) };
    writeSession(begun);
    setSession(begun);
    setReason(null);
    navigate('/account');
  };
  // Without a session every URL shows the login; with one, the login URLs lead to the overview.
  useEffect(() => {
    if (session === null && !isLogin && !isMailLink) navigate('/account/login', { replace: true });
    if (session !== null && isLogin) navigate('/account', { replace: true });
  }, [session, isLogin, isMailLink]);

  const account: Account = { api, texts, language, router, navigate, endSession };
  return (
    <AccountContext.Provider value={account}>
      {router.route.screen === 'mail-link' ? (
        <MailLinkArea key={router.route.link} screen={router.route.link} />
      ) : session === null ? (
        <LoginFrame>
          <LoginScreen
            key={router.route.screen}
            isNew={router.route.screen === 'register'}
            reason={reason}
            onSession={begin}
          />
        </LoginFrame>
      ) : (
        <SignedInArea />
      )}
      {proof.asked === 'code' ? <ReauthenticationDialog onEnd={proof.end} /> : null}
      {proof.asked === 'password' ? <PasswordDialog onEnd={proof.end} /> : null}
    </AccountContext.Provider>
  );
}
