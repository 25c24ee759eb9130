import type { Language } from '../../ui/language.ts';

type PasskeyTexts = Readonly<Record<'logIn' | 'use' | 'none' | 'wrong' | 'expired', string>>;

/** Loaded with the button. */
export const PASSKEY_TEXTS: Readonly<Record<Language, PasskeyTexts>> = {
  en: {
    logIn: 'Log in with a passkey',
    use: 'Use a passkey',
    none: 'No passkey was used. Try again, or choose another way.',
    wrong: 'This passkey does not belong to an account here, or did not verify you. Try another one.',
    expired: 'That took too long. Try again.',
  },
  de: {
    logIn: 'Mit Passkey anmelden',
    use: 'Passkey verwenden',
    none: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
    wrong:
      'Dieser Passkey gehört hier zu keinem Konto oder hat Sie nicht geprüft. Versuchen Sie es mit einem anderen.',
    expired: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  },
};
