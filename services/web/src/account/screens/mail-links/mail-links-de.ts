import type { MailLinksTexts } from './mail-links-en.ts';

/** German texts of the pages that links in mails open, and of asking for such a link. */
export const mailLinksDe: MailLinksTexts = {
  forgotTitle: 'Passwort zurücksetzen',
  forgotLead:
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten einen Link für ein neues Passwort.',
  forgotSubmit: 'Link senden',
  forgotDone:
    'Wenn es ein Konto mit dieser E-Mail-Adresse gibt, ist ein Link unterwegs. Er funktioniert einmal, 30 Minuten lang.',
  resetTitle: 'Neues Passwort festlegen',
  resetSubmit: 'Passwort festlegen',
  verifyTitle: 'E-Mail-Adresse bestätigen',
  verifyLead: 'Geben Sie Ihr Passwort ein, um zu bestätigen, dass dieses Konto Ihnen gehört.',
  verifySubmit: 'E-Mail-Adresse bestätigen',
  verifyDone: 'Ihre E-Mail-Adresse ist bestätigt.',
  notYours:
    'Nicht Ihr Konto? Geben Sie nichts ein. Um die Adresse zu übernehmen, setzen Sie das Passwort zurück.',
  confirmTitle: 'E-Mail-Adresse ändern',
  confirmLead: 'Bestätigen Sie die neue E-Mail-Adresse Ihres Kontos.',
  confirmSubmit: 'Änderung bestätigen',
  confirmDone: 'Ihre E-Mail-Adresse ist geändert. Melden Sie sich ab jetzt mit der neuen an.',
  confirmWaiting: 'Bestätigt. Die Änderung gilt, sobald auch die andere Adresse sie bestätigt hat.',
  cancelTitle: 'Änderung abbrechen',
  cancelLead:
    'Eine Änderung Ihrer Wallets steht aus. Wenn Sie sie nicht veranlasst haben, brechen Sie sie ab: Zahlungen gehen dann weiterhin an Ihre bisherigen Wallets. Damit brechen Sie alle ausstehenden Änderungen ab; ein Passwort ist nicht nötig.',
  cancelSubmit: 'Änderung abbrechen',
  cancelDone: 'Abgebrochen. Diese Wallets erhalten Ihre Zahlungen nicht.',
  nothingCancelled:
    'Es stand keine Wallet-Änderung aus. Sie wurde schon abgebrochen oder ist bereits wirksam. Prüfen Sie jetzt Ihre Wallets.',
  cancelNext:
    'Vielleicht hat jemand anderes Zugriff auf Ihr Konto. Setzen Sie jetzt Ihr Passwort zurück. Widerrufen Sie dann API-Schlüssel, die Sie nicht kennen.',
  inviteTitle: 'Einladung annehmen',
  noToken: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',
  toLogin: 'Zur Anmeldung',
};
