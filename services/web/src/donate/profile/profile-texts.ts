import type { Language } from '../../ui/language.ts';

const en = {
  goal: 'Goal',
  of: (reached: string, target: string) => `${reached} of ${target}`,
  latest: 'Latest donations',
  anonymous: 'Anonymous',
};
type ProfileTexts = typeof en;

const de: ProfileTexts = {
  goal: 'Ziel',
  of: (reached, target) => `${reached} von ${target}`,
  latest: 'Letzte Spenden',
  anonymous: 'Anonym',
};

/** The texts around the form by language. The server renders them, so the first script of the page does not contain them. */
export const PROFILE_TEXTS: Readonly<Record<Language, ProfileTexts>> = { en, de };
