/** English texts of the account settings. */
export const settingsEn = {
  heading: 'Account',
  email: 'Email',
  since: 'Created',
  project: 'Project name',
  projectHint: 'Payers and donors see this name.',
  invisible: 'This name would be invisible. Use letters, digits or emoji.',
  password: 'Change password',
  current: 'Current password',
  wrongPassword: 'The current password is wrong.',
  new: 'New password',
  change: 'Change password',
  changeHint: 'This ends all sessions, including this one. API keys stay valid.',
  sessions: 'Sessions',
  logoutAll: 'Log out everywhere',
  logoutAllAsk: 'Log out on all devices?',
  logoutAllDetail: 'This ends all sessions of this account, including this one. API keys stay valid.',
};
/** The shape that every other language has to fill. */
export type SettingsTexts = typeof settingsEn;
