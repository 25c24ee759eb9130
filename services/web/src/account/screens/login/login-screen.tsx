import { LIMITS } from '@paywatch/domain/limits';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { useAccount, type SessionEndReason } from '../../app/account-context.ts';
import type { SessionView } from '@paywatch/domain/contract';
import type { ApiProblem } from '../../api/api-call.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { hasPasskeys } from '../../passkeys/has-passkeys.ts';
import { PasswordStrength } from '../../parts/form/password-strength.tsx';
import { Screen } from '../../parts/panel.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { isInvitationDue } from '../../app/kept-invitation.ts';

/** Loaded where browsers have passkeys, after the form is shown. */
const PasskeyLogin = lazy(async () => (await import('./passkey-login.tsx')).PasskeyLogin);

/** Loaded for those who came with an invitation. */
const WaitingInvitation = lazy(async () => (await import('./waiting-invitation.tsx')).WaitingInvitation);

/** Loaded after the form of registrations is shown: one in the life of a deployment needs it. */
const OperatorCode = lazy(async () => (await import('./operator-code.tsx')).OperatorCode);

/** Loaded for accounts with a second factor only. */
const SecondStep = lazy(async () => (await import('./second-step.tsx')).SecondStep);

type LoginScreenProps = {
  isNew: boolean;
  reason: SessionEndReason | null;
  onSession: (session: SessionView) => void;
};

/** Login and registration. The API does not reveal whether an email is registered, so registering logs in afterwards. */
export function LoginScreen({ isNew, reason, onSession }: LoginScreenProps) {
  const { api, texts, language } = useAccount();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [operatorCode, setOperatorCode] = useState('');
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [mayExist, setMayExist] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    setMayExist(false);
    const code = operatorCode.trim() || undefined;
    const registered = isNew ? await api.register({ email, password, language, operator_code: code }) : null;
    const result = registered?.ok === false ? registered : await api.login({ email, password });
    setBusy(false);
    if (!result.ok) {
      // Registration succeeds for an existing email too; only the failed login afterwards hints at it.
      setMayExist(registered?.ok === true && result.problem.code === 'invalid_credentials');
      setProblem(result.problem);
    } else if ('session_token' in result.value) onSession(result.value);
  };

  const challenge = problem?.challenge ?? null;
  if (challenge !== null)
    return (
      <SecondStep
        challenge={challenge}
        passkey={problem?.passkey ?? null}
        onSession={onSession}
        onBack={() => setProblem(null)}
      />
    );
  return (
    <Screen title={isNew ? texts.login.register : texts.login.login} testId={isNew ? 'register' : 'login'}>
      {reason === null || reason === 'loggedOut' ? null : (
        <Notice tone="calm" testId="end-reason">
          {texts.login[reason]}
        </Notice>
      )}
      {isInvitationDue(Date.now()) ? <WaitingInvitation /> : null}
      <Form testId="login-form" problem={mayExist ? null : problem} onSubmit={() => void submit()}>
        {mayExist ? (
          <Notice tone="act" testId="may-exist">
            {texts.login.exists}
          </Notice>
        ) : null}
        <TextInput
          id="email"
          label={texts.login.email}
          type="email"
          autocomplete="username"
          value={email}
          error={fieldError(problem, 'email', texts)}
          onValue={setEmail}
        />
        <TextInput
          id="password"
          label={texts.login.password}
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          value={password}
          error={fieldError(problem, 'password', texts)}
          {...(isNew ? { hint: texts.login.passwordHint(LIMITS.password.minLength) } : {})}
          onValue={setPassword}
        />
        {isNew ? <PasswordStrength password={password} /> : null}
        {isNew ? <OperatorCode value={operatorCode} problem={problem} onValue={setOperatorCode} /> : null}
        <SubmitButton isBusy={isBusy} testId="login-submit">
          {isNew ? texts.login.register : texts.login.login}
        </SubmitButton>
      </Form>
      {isNew || !hasPasskeys() ? null : <PasskeyLogin onSession={onSession} />}
      <p>
        <a class="link" href={isNew ? '/account/login' : '/account/register'} data-testid="login-other">
          {isNew ? texts.login.toLogin : texts.login.toRegister}
        </a>
      </p>
      {isNew ? null : (
        <p>
          <a class="link" href="/account/forgot-password" data-testid="forgot">
            {texts.login.forgot}
          </a>
        </p>
      )}
      <p class="quiet">{texts.login.staysLoggedIn}</p>
    </Screen>
  );
}
