/** English texts of the account settings. */
export const settingsEn = {
  heading: 'Account',
  email: 'Email',
  since: 'Created',
  mailOff: 'This service sends no mail. To reset your password or change your email, ask its operator.',
  unverified: 'This address is not verified. Open the link in the mail that you got, or send another one.',
  resend: 'Send another link',
  resent: 'A link is on its way. It works once, for 30 minutes.',
  newEmail: 'New email',
  newEmailHint: 'Both addresses get a link to confirm the change.',
  changeEmail: 'Change email',
  emailPending: (email: string) =>
    `The change to ${email} is not confirmed yet. Open the links in your mails.`,
  project: 'Project name',
  projectHint: 'Payers and donors see this name.',
  invisible: 'This name would be invisible. Use letters, digits or emoji.',
  fiat: 'Your currency',
  fiatDetail:
    'Accepted money is also shown in this currency, at the exchange rate when the invoice was confirmed.',
  fiatHint: 'A change applies to invoices confirmed from then on.',
  fiatNone: 'None, only coins',
  margins: 'Prices in other currencies',
  marginsDetail:
    'For invoices with a price, such as 19.99 EUR. A margin covers the risk that the exchange rate falls before the payment.',
  margin: 'Margin (%)',
  longMargin: 'Margin of invoices longer than an hour (%)',
  longMarginHint: 'Leave empty to allow no such invoices.',
  malformedMargin: (most: number) => `Enter a percentage from 0 to ${most}, with at most two decimals.`,
  password: 'Change password',
  current: 'Current password',
  wrongPassword: 'The current password is wrong.',
  new: 'New password',
  change: 'Change password',
  changeHint: 'This ends all sessions, including this one. API keys stay valid.',
  audit: 'Audit log',
  auditDetail: 'Who changed what on this account, and from which address.',
  auditLink: 'Open audit log',
};
/** The shape that every other language has to fill. */
export type SettingsTexts = typeof settingsEn;
