import type { SessionView } from '@paywatch/domain/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AccountTexts } from './account-en.ts';
import type { Language } from '../ui/language.ts';
import { AccountContext, type Account, type SessionEndReason } from './app/account-context.ts';
import { readChosenProject, writeChosenProject } from './app/chosen-project.ts';
import { isInvitationDue } from './app/kept-invitation.ts';
import { createApi } from './api/api.ts';
import { LoginScreen } from './screens/login/login-screen.tsx';
import { useRouter } from './app/navigation.ts';
import { parseRoute } from './app/route.ts';
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
  { path: '/v1/projects', query: {} },
  { path: '/v1/api-keys', query: { limit: '100' } },
  { path: '/v1/invoices', query: { limit: '1' } },
];
const OVERVIEW_REQUESTS = [...FIRST_REQUESTS, { path: '/v1/stats', query: {} }];

/** The account area: the login page, or the screens behind it. */
export function AccountApp({ texts, language }: { texts: AccountTexts; language: Language }) {
  const { router, navigate } = useRouter();
  const [session, setSession] = useState<Session | null>(() => readSession(Date.now()));
  const [reason, setReason] = useState<SessionEndReason | null>(null);
  const [project, setProject] = useState(readChosenProject);
  const [isProjectLost, setProjectLost] = useState(false);
  const isLogin = router.route.screen === 'login' || router.route.screen === 'register';

  const isMailLink = router.route.screen === 'mail-link';

  const chooseProject = (id: string | null) => {
    writeChosenProject(id);
    setProject(id);
  };
  const loseProject = (lost: string) => {
    // Several requests may be refused at once, or after the reader has switched to another project.
    if (readChosenProject() !== lost) return;
    chooseProject(null);
    setProjectLost(true);
    // What the screen shows may belong to the lost project.
    if (parseRoute(location.pathname).screen !== 'mail-link') navigate('/account', { replace: true });
  };
  const isHome = router.route.screen === 'overview' || router.route.screen === 'start';
  useEffect(() => {
    if (!isHome && !isMailLink) setProjectLost(false);
  }, [router.path]);
  const endSession = (why: SessionEndReason) => {
    if (session !== null) deleteSession(session);
    setSession(null);
    setReason(why);
    chooseProject(null);
    navigate('/account/login');
  };
  const proof = useProof(router.visit);
  const follow = (next: Session | null) => {
    // A change that waits for a code must not be made in another account.
    proof.end(false);
    setSession(next);
    setReason(next === null ? 'ended' : null);
    if (next === null) chooseProject(null);
  };
  useEffect(() => followSession(follow), []);
  const api = useMemo(() => {
    const created = createApi({
      project,
      onProjectLost: loseProject,
      onEnded: () => endSession('ended'),
      prove: proof.prove,
    });
    if (session !== null)
      created.readAhead(router.route.screen === 'overview' ? OVERVIEW_REQUESTS : FIRST_REQUESTS);
    return created;
  }, [session, project]);
  const begin = ({ expires_at: expiresAt }: SessionView) => {
    const begun = { expiresAtMs: Date.parse(expiresAt) };
    writeSession(begun);
    setSession(begun);
    setReason(null);
    navigate(homePath());
  };
  // Without a session every URL shows the login; with one, the login URLs lead to the overview.
  useEffect(() => {
    if (session === null && !isLogin && !isMailLink) navigate('/account/login', { replace: true });
    if (session !== null && isLogin) navigate(homePath(), { replace: true });
  }, [session, isLogin, isMailLink]);

  const account: Account = {
    api,
    texts,
    language,
    router,
    navigate,
    isLoggedIn: session !== null,
    chooseProject,
    isProjectLost,
    endSession,
  };
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
        <SignedInArea key={project} />
      )}
      {proof.asked === 'code' ? <ReauthenticationDialog onEnd={proof.end} /> : null}
      {proof.asked === 'password' ? <PasswordDialog onEnd={proof.end} /> : null}
    </AccountContext.Provider>
  );
}

/** Where a login leads: to an invitation that waits for it, the first time, or to the overview. */
function homePath(): string {
  return isInvitationDue(Date.now()) ? '/account/accept-invitation' : '/account';
}
