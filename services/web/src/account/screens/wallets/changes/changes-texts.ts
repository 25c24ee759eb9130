import type { Language } from '../../../../ui/language.ts';

const en = {
  wallet: (currency: string) => `Your ${currency} wallet is about to change.`,
  until: 'Payments go to the wallet below from',
  address: 'First address of the new wallet',
  notYou:
    'If you did not ask for this, cancel the change, then change your password and revoke API keys that you do not know.',
  cancel: 'Cancel the change',
  cancelled: (currency: string) =>
    `The change was cancelled. Payments in ${currency} keep going to your previous wallet.`,
  tooLate: (currency: string) =>
    `Nothing was cancelled: the change of your ${currency} wallet has taken effect or was cancelled before. Check your wallets.`,
  shorter: (duration: string) => `Wallet changes will wait only ${duration} from`,
  keep: 'Keep the current delay',
  kept: 'The delay stays as it is.',
  heading: 'Delay of wallet changes',
  lead: 'If you were paid within the last 30 days, a new wallet takes effect only after this delay. You get a mail and can cancel the change until then.',
  label: 'Delay',
  hint: 'A longer delay applies at once, a shorter one only after the current delay.',
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
    `Die Änderung wurde abgebrochen. Zahlungen in ${currency} gehen weiterhin an Ihre bisherige Wallet.`,
  tooLate: (currency) =>
    `Nichts wurde abgebrochen: Die Änderung Ihrer ${currency}-Wallet gilt bereits oder wurde schon abgebrochen. Prüfen Sie Ihre Wallets.`,
  shorter: (duration) => `Die Wartezeit bei neuen Wallets beträgt nur noch ${duration}, ab`,
  keep: 'Aktuelle Wartezeit behalten',
  kept: 'Die Wartezeit bleibt, wie sie ist.',
  heading: 'Wartezeit bei neuen Wallets',
  lead: 'Wurden Sie in den letzten 30 Tagen bezahlt, ist eine neue Wallet erst nach dieser Wartezeit wirksam. Sie erhalten eine E-Mail und können die Änderung bis dahin abbrechen.',
  label: 'Wartezeit',
  hint: 'Eine längere Wartezeit gilt sofort, eine kürzere erst nach der aktuellen.',
  save: 'Wartezeit speichern',
};

/** Loaded with the banner and the panel: most visits show neither. */
export const CHANGES_TEXTS: Readonly<Record<Language, ChangesTexts>> = { en, de };
