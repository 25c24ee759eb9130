/** English texts of the pages that links in mails open, and of asking for such a link. */
export const mailLinksEn = {
  forgotTitle: 'Reset your password',
  forgotLead: 'Enter the email of your account. You will get a link to set a new password.',
  forgotSubmit: 'Send link',
  forgotDone: 'If this email has an account, a link is on its way. It works once, for 30 minutes.',
  resetTitle: 'Set a new password',
  resetSubmit: 'Set password',
  verifyTitle: 'Verify your email address',
  verifyLead: 'Enter your password to confirm that this account is yours.',
  verifySubmit: 'Verify email address',
  verifyDone: 'Your email address is verified.',
  notYours: 'Not your account? Do not enter anything. To take over the address, reset its password.',
  confirmTitle: 'Change your email address',
  confirmLead: 'Confirm the new email address of your account.',
  confirmSubmit: 'Confirm change',
  confirmDone: 'Your email address is changed. Log in with the new one from now on.',
  confirmWaiting: 'Confirmed. The change takes effect once the other address has confirmed it too.',
  cancelTitle: 'Cancel the change',
  cancelLead:
    'A wallet change is pending. If you did not request it, cancel it, and payments keep going to your previous wallets. This cancels all pending changes and needs no password.',
  cancelSubmit: 'Cancel the change',
  cancelDone: 'Cancelled. These wallets will not receive your payments.',
  nothingCancelled:
    'No wallet change was pending. It was already cancelled or has taken effect. Check your wallets now.',
  cancelNext:
    'Somebody else may have access to your account. Reset your password now. Then revoke API keys that you do not know.',
  inviteTitle: 'Accept the invitation',
  noToken: 'This link is incomplete. Open it from the mail again.',
  toLogin: 'Go to login',
};
/** The shape that every other language has to fill. */
export type MailLinksTexts = typeof mailLinksEn;
