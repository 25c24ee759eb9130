import type { Language } from '../../../ui/language.ts';

type ReauthenticationTexts = Readonly<
  Record<'title' | 'lead' | 'passkeyLead' | 'code' | 'hint' | 'wrong' | 'submit', string>
>;

/** Loaded with the dialog. */
export const REAUTHENTICATION_TEXTS: Readonly<Record<Language, ReauthenticationTexts>> = {
  en: {
    title: 'Confirm that it is you',
    lead: 'This change needs a code from your authenticator app. Further changes are then allowed for ten minutes.',
    passkeyLead: 'This change needs a passkey or a code. Further changes are then allowed for ten minutes.',
    code: 'Code',
    hint: 'Six digits, or one of your recovery codes.',
    wrong: 'This code is wrong, expired or already used. Wait for the next one.',
    submit: 'Confirm',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie es sind',
    lead: 'Für diese Änderung ist ein Code aus Ihrer Authenticator-App nötig. Danach sind zehn Minuten lang Änderungen möglich.',
    passkeyLead:
      'Für diese Änderung ist ein Passkey oder ein Code nötig. Danach sind zehn Minuten lang Änderungen möglich.',
    code: 'Code',
    hint: 'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes.',
    wrong: 'Dieser Code ist falsch, abgelaufen oder schon benutzt. Warten Sie auf den nächsten.',
    submit: 'Bestätigen',
  },
};
