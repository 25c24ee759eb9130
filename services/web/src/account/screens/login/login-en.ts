/** English texts of login and registration. */
export const loginEn = {
  login: 'Log in',
  register: 'Create account',
  email: 'Email',
  password: 'Password',
  passwordHint: (minimum: number) => `At least ${minimum} characters.`,
  toRegister: 'No account yet? Create one',
  toLogin: 'Already have an account? Log in',
  forgot: 'Forgot your password?',
  ended: 'Your session has ended. Log in again.',
  passwordChanged: 'Your password was changed and all sessions were ended. Log in with the new password.',
  loggedOutEverywhere: 'You are logged out on all devices.',
  accountDeleted: 'Your account was deleted.',
  exists: 'You may already have an account with this email. Log in with its password.',
  lead: 'Accept Bitcoin and Litecoin directly into your own wallet.',
  staysLoggedIn: 'This browser stays logged in for up to 7 days. On another person’s computer, log out.',
};
/** The shape that every other language has to fill. */
export type LoginTexts = typeof loginEn;
