import type { SessionView } from '@paywatch/domain/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AccountTexts } from './account-en.ts';
import type { Language } from '../texts/language.ts';
import { AccountContext, type Account, type EndReason } from './app/account-context.ts';
import { createApi } from './api/api.ts';
import { LoginScreen } from './screens/login/login-screen.tsx';
import { usePlace } from './app/navigation.ts';
import { later } from './parts/later.tsx';
import { LoginFrame } from './frame/login-frame.tsx';
import { readSession, writeSession, type Session } from './app/session.ts';

/** What is behind the login; who only comes to log in need not wait for it. */
const KnownArea = later(async () => (await import('./app/known-area.tsx')).KnownArea, LoginFrame);

/** The account area: the login, or what is behind it. */
export function AccountApp({ texts, language }: { texts: AccountTexts; language: Language }) {
  const { place, navigate } = usePlace();
  const [session, setSession] = useState<Session | null>(() => readSession(sessionStorage, Date.now()));
  const [reason, setReason] = useState<EndReason | null>(null);
  const isLogin = place.route.screen === 'login' || place.route.screen === 'register';

  const keep = (next: Session | null) => {
    writeSession(sessionStorage, next);
    setSession(next);
  };
  const endSession = (why: EndReason) => {
    keep(null);
    setReason(why);
    navigate('/account/login');
  };
  const api = useMemo(() => createApi(session?.token ?? null, () => endSession('ended')), [session]);
  const begin = ({ session_token: token, expires_at: expiresAt }: SessionView) => {
    keep({ token, expiresAtMs: Date.parse(expiresAt) });
    setReason(null);
    navigate('/account');
  };
  // Who is not logged in sees the login wherever they came to; who is has no use for it.
  useEffect(() => {
    if (session === null && !isLogin) navigate('/account/login', { replace: true });
    if (session !== null && isLogin) navigate('/account', { replace: true });
  }, [session, isLogin]);

  const account: Account = { api, texts, language, place, navigate, endSession };
  return (
    <AccountContext.Provider value={account}>
      {session === null ? (
        <LoginFrame>
          <LoginScreen
            key={place.route.screen}
            isNew={place.route.screen === 'register'}
            reason={reason}
            onSession={begin}
          />
        </LoginFrame>
      ) : (
        <KnownArea />
      )}
    </AccountContext.Provider>
  );
}
