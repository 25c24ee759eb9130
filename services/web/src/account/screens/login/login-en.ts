/** What stands on the login and the registration, in English. */
export const loginEn = {
  login: 'Log in',
  register: 'Create an account',
  email: 'Email',
  password: 'Password',
  passwordHint: (least: number) => `At least ${least} characters.`,
  toRegister: 'No account yet? Create one',
  toLogin: 'You have an account? Log in',
  ended: 'Your session has ended. Log in again.',
  passwordChanged: 'The password was changed and every session ended. Log in with the new one.',
  loggedOutEverywhere: 'You are logged out on all devices.',
  exists: 'There may be an account with this email already. Log in with its password.',
  lead: 'Accept Bitcoin and Litecoin into your own wallet.',
  tabSession: 'The session is kept in this tab only and lasts 7 days.',
};
/** Every language has to fill its shape. */
export type LoginTexts = typeof loginEn;
