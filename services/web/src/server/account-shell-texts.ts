import type { Language } from '../ui/language.ts';

const en = {
  needsScript: 'This page needs JavaScript. You can also do everything through the API.',
};
const de: typeof en = {
  needsScript: 'Diese Seite benötigt JavaScript. Alle Funktionen gibt es auch über die API.',
};

/** What the account area shows where JavaScript is off, by language. */
export const ACCOUNT_SHELL_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
