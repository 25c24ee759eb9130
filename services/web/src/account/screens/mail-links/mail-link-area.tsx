import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { MailLinkScreen } from '../../app/route.ts';
import { useAccount } from '../../app/account-context.ts';
import { LoginFrame } from '../../frame/login-frame.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Screen } from '../../parts/panel.tsx';
import { readKeptInvitation } from '../../app/kept-invitation.ts';
import { AcceptInvitationForm } from './accept-invitation-form.tsx';
import { CancelChangesForm } from './cancel-changes-form.tsx';
import { ConfirmEmailForm } from './confirm-email-form.tsx';
import { ForgotPasswordForm } from './forgot-password-form.tsx';
import { ResetPasswordForm } from './reset-password-form.tsx';
import { VerifyEmailForm } from './verify-email-form.tsx';
import { MAIL_LINKS_TEXTS } from './mail-links-texts.ts';

const TITLES = {
  'forgot-password': 'forgotTitle',
  'reset-password': 'resetTitle',
  'verify-email': 'verifyTitle',
  'confirm-email': 'confirmTitle',
  'cancel-wallet-changes': 'cancelTitle',
  'accept-invitation': 'inviteTitle',
} as const;

/** The pages that links in mails open, with or without a session. */
export function MailLinkArea({ screen }: { screen: MailLinkScreen }) {
  const mailLinks = MAIL_LINKS_TEXTS[useAccount().language];
  return (
    <LoginFrame>
      <Screen title={mailLinks[TITLES[screen]]} testId={screen}>
        {screen === 'forgot-password' ? <ForgotPasswordForm /> : <WithToken screen={screen} />}
        {screen === 'accept-invitation' ? null : (
          <p>
            <a class="link" href="/account/login" data-testid="to-login">
              {mailLinks.toLogin}
            </a>
          </p>
        )}
      </Screen>
    </LoginFrame>
  );
}

function WithToken({ screen }: { screen: Exclude<MailLinkScreen, 'forgot-password'> }) {
  const mailLinks = MAIL_LINKS_TEXTS[useAccount().language];
  const [token] = useState(() => takeToken() ?? keptToken(screen));
  if (token === '')
    return (
      <Notice tone="act" testId="no-token">
        {mailLinks.noToken}
      </Notice>
    );
  const forms: Record<typeof screen, ComponentChildren> = {
    'reset-password': <ResetPasswordForm token={token} />,
    'verify-email': <VerifyEmailForm token={token} />,
    'confirm-email': <ConfirmEmailForm token={token} />,
    'cancel-wallet-changes': <CancelChangesForm token={token} />,
    'accept-invitation': <AcceptInvitationForm token={token} />,
  };
  return forms[screen];
}

/** Reads the token and removes it from the address bar, so that it is not bookmarked or shared. */
function takeToken(): string | null {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(null, '', location.pathname);
  return token === '' ? null : token;
}

/** An invitation waits for a login; the other links are used at once. */
function keptToken(screen: MailLinkScreen): string {
  return screen === 'accept-invitation' ? (readKeptInvitation(Date.now()) ?? '') : '';
}
