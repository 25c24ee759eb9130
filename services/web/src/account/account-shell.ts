import type { Language } from '../texts/language.ts';

const en = {
  needsScript: 'The account area needs JavaScript. Everything it does can be done over the API too.',
};
const de: typeof en = {
  needsScript: 'Das Konto braucht JavaScript. Alles, was es kann, geht auch über die API.',
};

/** What the account area says before its script runs. */
export const ACCOUNT_SHELL_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
