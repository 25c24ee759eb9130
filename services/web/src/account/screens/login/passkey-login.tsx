import type { SessionView } from '@paywatch/domain/contract';
import { useAccount } from '../../app/account-context.ts';
import { PasskeyButton } from '../../passkeys/passkey-button.tsx';

/** Logs in with a passkey in place of email and password. */
export function PasskeyLogin({ onSession }: { onSession: (session: SessionView) => void }) {
  const { api } = useAccount();
  return (
    <PasskeyButton
      label="logIn"
      start={api.startPasskeyLogin}
      finish={api.loginWithPasskey}
      onDone={onSession}
      testId="passkey-login"
    />
  );
}
