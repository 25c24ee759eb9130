import type { MailData } from '@paywatch/store/mails';
import type {
  MailText,
  MailTexts,
  MemberChange,
  MemberChanges,
  SecondFactorChange,
  SecondFactorChanges,
} from './mail-texts.ts';
import { momentText } from './moment-text.ts';
import { projectName } from './project-name.ts';

const NOT_YOU =
  'If this was not you, reset your password now and check your wallets, API keys, webhook endpoint, and the members and invitations of your projects.';
const LINK = 'The link works once, for 30 minutes.';

/** By what changed. */
const SECOND_FACTOR_CHANGES: SecondFactorChanges = {
  added: (name) => `The authenticator app "${name}" was added. Logins now need one of its codes.`,
  removed: (name) => `The authenticator app "${name}" was removed.`,
  passkey_added: (name) =>
    `The passkey "${name}" was added. It can log in alone, and logins with the password now need a second factor.`,
  passkey_removed: (name) => `The passkey "${name}" was removed. It can no longer log in.`,
  codes_replaced: () => 'The recovery codes were replaced. The old ones no longer work.',
  code_used: () =>
    'A recovery code was used in place of an authenticator app or a passkey. It no longer works.',
  reset: () =>
    'The operator removed all authenticator apps and passkeys and ended all sessions. Logins need your password only until you add a new one.',
};

const NOT_EXPECTED =
  'If you did not expect this, review the members of the project, then reset your password and revoke API keys that you do not know.';
const REPLACE_SECRETS =
  'API keys, secrets of webhook endpoints and links of overlays that they have seen keep working until you replace them.';

/** By what changed. */
const MEMBER_CHANGES: MemberChanges = {
  invited: (member, role) => `${member} invited somebody to the project, with the role ${role}.`,
  joined: (member, role) =>
    `${member} accepted an invitation and now works in the project, with the role ${role}.`,
  role_changed: (member, role) => `${member} now has the role ${role}.`,
  removed: (member) => `${member} was removed and no longer has access.`,
  left: (member) => `${member} left and no longer has access.`,
};

/** A project by its name, which may be missing. */
function projectOf(name = ''): string {
  const plain = projectName(name);
  return plain === '' ? 'a project without a name' : `the project “${plain}”`;
}

/** About the members of a project, or its owners. */
function membersText(subject: string, { change, member, project, role = '' }: MailData): MailText {
  return {
    subject,
    paragraphs: [
      `This is about ${projectOf(project)}.`,
      MEMBER_CHANGES[change as MemberChange](member || 'A deleted account', role),
      ...(change === 'removed' || change === 'left' ? [REPLACE_SECRETS] : []),
      NOT_EXPECTED,
    ],
    action: { label: 'Review members', page: 'members' },
  };
}

/** English mails. */
export const mailEn: MailTexts = {
  verify_email: () => ({
    subject: 'Verify your email address',
    paragraphs: [
      'Verify this address to get security notices and to be able to reset your password.',
      `${LINK} If you have not created an account, ignore this mail.`,
    ],
    action: { label: 'Verify email address', page: 'verify-email' },
  }),
  already_registered: () => ({
    subject: 'You already have an account',
    paragraphs: [
      'Somebody tried to create an account with this email address. It already has one, and nothing was changed.',
      'If this was you, log in with your password, or reset it.',
    ],
    action: { label: 'Reset password', page: 'forgot-password' },
  }),
  reset_password: () => ({
    subject: 'Reset your password',
    paragraphs: [
      'Set a new password for your account. All sessions end when you do.',
      `${LINK} If you did not ask for it, ignore this mail: your password stays as it is.`,
    ],
    action: { label: 'Set a new password', page: 'reset-password' },
  }),
  confirm_old_email: () => ({
    subject: 'Confirm the change of your email address',
    paragraphs: [
      'Somebody who knows your password wants to change the email address of your account. The change takes effect once both addresses have confirmed it.',
      `${LINK} If this was not you, ignore the link and change your password.`,
    ],
    action: { label: 'Confirm change', page: 'confirm-email' },
  }),
  confirm_new_email: () => ({
    subject: 'Confirm your new email address',
    paragraphs: [
      'This address was named as the new one of an account. The change takes effect once both addresses have confirmed it.',
      `${LINK} If you did not ask for it, ignore this mail.`,
    ],
    action: { label: 'Confirm address', page: 'confirm-email' },
  }),
  email_changed: () => ({
    subject: 'Your email address was changed',
    paragraphs: [
      'Your account now has another email address. Mails no longer go to this one.',
      'If this was not you, contact the operator of this service at once.',
    ],
    action: { label: 'Log in', page: 'login' },
  }),
  account_deleted: () => ({
    subject: 'Your account was deleted',
    paragraphs: [
      'Your account, its links and its API keys no longer work. Open invoices are watched until they are decided; payments still go straight to your own wallet.',
      'If this was not you, register again with this address and verify your wallet again: its addresses continue where they were. Then change the password of your mailbox, and contact the operator of this service.',
    ],
    action: { label: 'Register', page: 'register' },
  }),
  notices_changed: () => ({
    subject: 'Your choice of notices was changed',
    paragraphs: ['The notices that you get by mail were changed.', NOT_YOU],
    action: { label: 'Review notices', page: 'settings' },
  }),
  invitation: ({ inviter, project, role }) => ({
    subject: 'You are invited to a project',
    paragraphs: [
      `${inviter} invites you to work in ${projectOf(project)}, with the role ${role}.`,
      'You need an account with this email address. If you have none, the link lets you create one.',
      'The link works once, for 7 days. If you do not know the sender, ignore this mail.',
    ],
    action: { label: 'View invitation', page: 'accept-invitation' },
  }),
  members_changed: (data) => membersText('The members of your project changed', data),
  owners_changed: (data) => membersText('The owners of your project changed', data),
  membership_changed: ({ change, project, role }) => ({
    subject: 'Your role in a project changed',
    paragraphs: [
      `This is about ${projectOf(project)}.`,
      change === 'removed' ? 'You were removed and no longer have access.' : `You now have the role ${role}.`,
      'If you did not expect this, ask an owner of the project.',
    ],
    action: { label: 'Show your projects', page: 'projects' },
  }),
  new_device: ({ network }) => ({
    subject: 'New login to your account',
    paragraphs: [`Somebody logged in from a network that was not used before: ${network}.`, NOT_YOU],
    action: { label: 'Review your account', page: 'settings' },
  }),
  password_changed: () => ({
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed, and all sessions were ended.', NOT_YOU],
    action: { label: 'Reset password', page: 'forgot-password' },
  }),
  second_factor_changed: ({ change, name }) => ({
    subject: 'The two-factor login of your account changed',
    paragraphs: [SECOND_FACTOR_CHANGES[change as SecondFactorChange](name ?? ''), NOT_YOU],
    action: { label: 'Review two-factor login', page: 'settings' },
  }),
  wallet_changed: ({ currency, change, address }) => ({
    subject: `${change === 'verified' ? 'New' : 'Pending'} ${currency} wallet`,
    paragraphs: [
      change === 'verified'
        ? `Payments in ${currency} now go to the wallet whose first address is ${address}.`
        : `A wallet for ${currency} was registered. Its first address is ${address}. Payments go there once it is verified.`,
      NOT_YOU,
    ],
    action: { label: 'Review wallets', page: 'wallets' },
  }),
  wallet_change_pending: ({ currency, address, seconds, effective_at: at }) => ({
    subject:
      seconds === undefined
        ? `Your ${currency} wallet is about to change`
        : 'Wallets are about to change faster',
    paragraphs: [
      seconds === undefined
        ? `From ${momentText(at)} on, payments in ${currency} go to another wallet. Its first address is ${address}. Until then they go where they go today.`
        : `From ${momentText(at)} on, changes of your wallets wait for ${seconds} seconds only.`,
      'If you asked for this, there is nothing to do.',
      'If you did not, somebody else has access to your account. Cancel the change, which needs no password, then reset your password and revoke API keys that you do not know.',
    ],
    action: { label: 'Cancel the change', page: 'cancel-wallet-changes' },
  }),
  wallet_change_ended: ({ currency, address, outcome }) => ({
    subject:
      outcome === 'applied'
        ? `Your ${currency} wallet has changed`
        : `Change of your ${currency} wallet cancelled`,
    paragraphs: [
      outcome === 'applied'
        ? `Payments in ${currency} now go to the wallet whose first address is ${address}.`
        : `The wallet for ${currency} whose first address is ${address} will not take effect. Payments keep going to the previous wallet.`,
      NOT_YOU,
    ],
    action: { label: 'Review wallets', page: 'wallets' },
  }),
  endpoint_changed: ({ host }) => ({
    subject: 'Your webhook endpoint was changed',
    paragraphs: [`Webhooks are now sent to ${host}, signed with a new secret.`, NOT_YOU],
    action: { label: 'Review endpoint', page: 'webhooks' },
  }),
  branding_changed: () => ({
    subject: 'Your payment pages were changed',
    paragraphs: [
      'The name, the logo, the color, a text or a link on the pages that your payers and donors see was changed. They see the change at once.',
      NOT_YOU,
    ],
    action: { label: 'Review payment pages', page: 'settings' },
  }),
  api_key_changed: ({ change, key }) => ({
    subject: change === 'created' ? 'New API key' : 'API key revoked',
    paragraphs: [
      change === 'created' ? `The API key ${key} was created.` : `The API key ${key} was revoked.`,
      NOT_YOU,
    ],
    action: { label: 'Review API keys', page: 'keys' },
  }),
  endpoint_failing: ({ host }) => ({
    subject: 'Your webhook endpoint does not accept events',
    paragraphs: [
      `Webhooks to ${host} have failed for more than half an hour. They are retried for seven days.`,
      'The last attempts of each event show what went wrong.',
    ],
    action: { label: 'Show events', page: 'webhooks' },
  }),
  pool_low: ({ currency }) => ({
    subject: `Your ${currency} wallet is running out of addresses`,
    paragraphs: [
      `Few receiving addresses are left for ${currency}. Without one, no invoice can be created.`,
      'Raise the gap limit, in your wallet software first.',
    ],
    action: { label: 'Show wallets', page: 'wallets' },
  }),
  subscription_ending: ({ day }) => ({
    subject: 'Your subscription is ending',
    paragraphs: [
      `Your subscription ends on ${day}. After that, you cannot create new invoices. Existing ones are still tracked.`,
    ],
    action: { label: 'Extend subscription', page: 'settings' },
  }),
  footer: (host) => `Sent by Paywatch at ${host}. Choose your notices in the account area.`,
};
