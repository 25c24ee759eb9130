/** What stands on the settings of the account, in English. */
export const settingsEn = {
  heading: 'Account',
  email: 'Email',
  since: 'Since',
  project: 'Name of the project',
  projectHint: 'Payers and donors see it.',
  invisible: 'Nobody would see anything of this. Write letters, digits or emoji.',
  password: 'Change the password',
  current: 'Current password',
  new: 'New password',
  change: 'Change the password',
  changeHint: 'Every session ends, this one too. API keys stay valid.',
  sessions: 'Sessions',
  logoutAll: 'Log out everywhere',
  logoutAllAsk: 'Log out on all devices?',
  logoutAllDetail: 'Every session of this account ends, this one too. API keys stay valid.',
};
/** Every language has to fill its shape. */
export type SettingsTexts = typeof settingsEn;
