import type { Language } from '../../../../ui/language.ts';

const en = {
  wallet: (currency: string) => `Your ${currency} wallet is about to change.`,
  until: 'Payments go to the wallet below from',
  address: 'First address of the new wallet',
  notYou:
    'If you did not ask for this, cancel the change, then change your password and revoke API keys that you do not know.',
  cancel: 'Cancel the change',
  cancelled: (currency: string) =>
    `The change was cancelled. Payments in ${currency} go where they went before.`,
  tooLate: (currency: string) =>
    `Nothing was cancelled: the change of your ${currency} wallet has taken effect or was cancelled before. Check your wallets.`,
  shorter: (duration: string) => `Changes of wallets will wait for ${duration} only, from`,
  keep: 'Keep the present delay',
  kept: 'The delay stays as it is.',
  heading: 'Delay of wallet changes',
  lead: 'A new wallet waits before payments go to it, if you were paid within the last 30 days. You get a mail and can cancel it until then.',
  label: 'A new wallet waits for',
  hint: 'A longer delay applies at once. A shorter one applies after the present delay.',
  save: 'Save delay',
};
type ChangesTexts = typeof en;

const de: ChangesTexts = {
  wallet: (currency) => `Ihre ${currency}-Wallet wird geändert.`,
  until: 'Zahlungen gehen an die Wallet unten ab',
  address: 'Erste Adresse der neuen Wallet',
  notYou:
    'Wenn Sie das nicht veranlasst haben, brechen Sie die Änderung ab, ändern Sie dann Ihr Passwort und widerrufen Sie API-Schlüssel, die Sie nicht kennen.',
  cancel: 'Änderung abbrechen',
  cancelled: (currency) =>
    `Die Änderung wurde abgebrochen. Zahlungen in ${currency} gehen dorthin, wo sie vorher hingingen.`,
  tooLate: (currency) =>
    `Nichts wurde abgebrochen: Die Änderung Ihrer ${currency}-Wallet gilt bereits oder wurde schon abgebrochen. Prüfen Sie Ihre Wallets.`,
  shorter: (duration) => `Änderungen von Wallets warten nur noch ${duration}, ab`,
  keep: 'Jetzige Wartezeit behalten',
  kept: 'Die Wartezeit bleibt, wie sie ist.',
  heading: 'Wartezeit bei neuen Wallets',
  lead: 'Eine neue Wallet wartet, bevor Zahlungen an sie gehen, wenn Sie in den letzten 30 Tagen bezahlt wurden. Sie erhalten eine E-Mail und können sie bis dahin abbrechen.',
  label: 'Eine neue Wallet wartet',
  hint: 'Eine längere Wartezeit gilt sofort, eine kürzere erst nach der jetzigen.',
  save: 'Wartezeit speichern',
};

/** Loaded with the banner and the panel: most visits show neither. */
export const CHANGES_TEXTS: Readonly<Record<Language, ChangesTexts>> = { en, de };
