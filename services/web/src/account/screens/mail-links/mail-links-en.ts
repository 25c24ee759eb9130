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
  confirmLead: 'Confirm that the email address of your account may change.',
  confirmSubmit: 'Confirm change',
  confirmDone: 'Your email address is changed. Log in with the new one from now on.',
  confirmWaiting: 'Confirmed. The change takes effect once the other address has confirmed it too.',
  cancelTitle: 'Cancel the change',
  cancelLead:
    'A change of your wallets waits. If you did not ask for it, cancel it: payments then go where they went before. This cancels every change that waits, and needs no password.',
  cancelSubmit: 'Cancel the change',
  cancelDone: 'Cancelled. These wallets will not receive your payments.',
  nothingCancelled:
    'No change of a wallet was waiting. It was cancelled before, or it has taken effect: check your wallets now.',
  cancelNext:
    'Somebody else may have access to your account. Reset your password now. Then revoke API keys that you do not know.',
  inviteTitle: 'Accept the invitation',
  noToken: 'This link is incomplete. Open it from the mail again.',
  toLogin: 'Go to login',
};
/** The shape that every other language has to fill. */
export type MailLinksTexts = typeof mailLinksEn;
