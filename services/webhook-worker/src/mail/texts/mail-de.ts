import type { ProjectRole } from '@paywatch/domain/contract';
import type { MailData } from '@paywatch/store/mails';
import type {
  MailText,
  MailTexts,
  MemberChange,
  MemberChanges,
  SecondFactorChange,
  SecondFactorChanges,
} from './mail-texts.ts';
import { momentText } from './moment-text.ts';
import { projectName } from './project-name.ts';

const NOT_YOU =
  'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und prüfen Sie Wallets, API-Schlüssel und Webhook-Endpunkt sowie Mitglieder und Einladungen Ihrer Projekte.';
const LINK = 'Der Link funktioniert einmal, 30 Minuten lang.';

/** Nach dem, was geändert wurde. */
const SECOND_FACTOR_CHANGES: SecondFactorChanges = {
  added: (name) =>
    `Die Authenticator-App „${name}“ wurde hinzugefügt. Zur Anmeldung ist jetzt einer ihrer Codes nötig.`,
  removed: (name) => `Die Authenticator-App „${name}“ wurde entfernt.`,
  passkey_added: (name) =>
    `Der Passkey „${name}“ wurde hinzugefügt. Er genügt allein zur Anmeldung; mit dem Passwort ist jetzt ein zweiter Faktor nötig.`,
  passkey_removed: (name) =>
    `Der Passkey „${name}“ wurde entfernt. Mit ihm ist keine Anmeldung mehr möglich.`,
  codes_replaced: () => 'Die Wiederherstellungscodes wurden ersetzt. Die alten funktionieren nicht mehr.',
  code_used: () =>
    'Ein Wiederherstellungscode wurde anstelle einer Authenticator-App oder eines Passkeys verwendet. Er funktioniert nicht mehr.',
  reset: () =>
    'Der Betreiber hat alle Authenticator-Apps und Passkeys entfernt und alle Sitzungen beendet. Zur Anmeldung genügt Ihr Passwort, bis Sie wieder einen zweiten Faktor hinzufügen.',
};

const NOT_EXPECTED =
  'Wenn Sie das nicht erwartet haben, prüfen Sie die Mitglieder des Projekts, setzen Sie Ihr Passwort zurück und widerrufen Sie API-Schlüssel, die Sie nicht kennen.';
const REPLACE_SECRETS =
  'API-Schlüssel, Geheimnisse von Webhook-Endpunkten und Links von Overlays, die dieser Person bekannt sind, funktionieren weiter, bis Sie sie ersetzen.';

const ROLES: Readonly<Record<ProjectRole, string>> = {
  owner: 'Inhaber',
  manager: 'Manager',
  accountant: 'Buchhaltung',
  support: 'Support',
};

/** Nach dem, was geändert wurde. */
const MEMBER_CHANGES: MemberChanges = {
  invited: (member, role) => `${member} hat jemanden zur Mitarbeit eingeladen, mit der Rolle ${role}.`,
  joined: (member, role) =>
    `${member} hat eine Einladung angenommen und arbeitet jetzt im Projekt mit, mit der Rolle ${role}.`,
  role_changed: (member, role) => `${member} hat jetzt die Rolle ${role}.`,
  removed: (member) => `${member} wurde entfernt und hat keinen Zugriff mehr.`,
  left: (member) => `${member} hat das Projekt verlassen und hat keinen Zugriff mehr.`,
};

/** Ein Projekt mit seinem Namen, der fehlen kann. */
function projectOf(name = ''): string {
  const plain = projectName(name);
  return plain === '' ? 'ein Projekt ohne Namen' : `das Projekt „${plain}“`;
}

/** Über Mitglieder oder Inhaber eines Projekts. */
function membersText(subject: string, { change, member, project, role }: MailData): MailText {
  return {
    subject,
    paragraphs: [
      `Es geht um ${projectOf(project)}.`,
      MEMBER_CHANGES[change as MemberChange](member || 'Ein gelöschtes Konto', ROLES[role as ProjectRole]),
      ...(change === 'removed' || change === 'left' ? [REPLACE_SECRETS] : []),
      NOT_EXPECTED,
    ],
    action: { label: 'Mitglieder prüfen', page: 'members' },
  };
}

/** German mails. */
export const mailDe: MailTexts = {
  verify_email: () => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      'Bestätigen Sie diese Adresse, um Sicherheitshinweise zu erhalten und Ihr Passwort zurücksetzen zu können.',
      `${LINK} Wenn Sie kein Konto erstellt haben, ignorieren Sie diese E-Mail.`,
    ],
    action: { label: 'E-Mail-Adresse bestätigen', page: 'verify-email' },
  }),
  already_registered: () => ({
    subject: 'Sie haben bereits ein Konto',
    paragraphs: [
      'Jemand wollte mit dieser E-Mail-Adresse ein Konto erstellen. Es gibt bereits eines, und nichts wurde geändert.',
      'Wenn Sie das waren, melden Sie sich mit Ihrem Passwort an oder setzen Sie es zurück.',
    ],
    action: { label: 'Passwort zurücksetzen', page: 'forgot-password' },
  }),
  reset_password: () => ({
    subject: 'Setzen Sie Ihr Passwort zurück',
    paragraphs: [
      'Legen Sie ein neues Passwort für Ihr Konto fest. Alle Sitzungen werden dabei beendet.',
      `${LINK} Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.`,
    ],
    action: { label: 'Neues Passwort festlegen', page: 'reset-password' },
  }),
  confirm_old_email: () => ({
    subject: 'Bestätigen Sie die Änderung Ihrer E-Mail-Adresse',
    paragraphs: [
      'Jemand, der Ihr Passwort kennt, möchte die E-Mail-Adresse Ihres Kontos ändern. Die Änderung gilt, sobald beide Adressen sie bestätigt haben.',
      `${LINK} Wenn Sie das nicht waren, ignorieren Sie den Link und ändern Sie Ihr Passwort.`,
    ],
    action: { label: 'Änderung bestätigen', page: 'confirm-email' },
  }),
  confirm_new_email: () => ({
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    paragraphs: [
      'Diese Adresse wurde als neue Adresse eines Kontos angegeben. Die Änderung gilt, sobald beide Adressen sie bestätigt haben.',
      `${LINK} Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.`,
    ],
    action: { label: 'Adresse bestätigen', page: 'confirm-email' },
  }),
  email_changed: () => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    paragraphs: [
      'Ihr Konto hat jetzt eine andere E-Mail-Adresse. An diese Adresse werden keine E-Mails mehr gesendet.',
      'Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.',
    ],
    action: { label: 'Anmelden', page: 'login' },
  }),
  account_deleted: () => ({
    subject: 'Ihr Konto wurde gelöscht',
    paragraphs: [
      'Ihr Konto, seine Links und seine API-Schlüssel gelten nicht mehr. Offene Rechnungen werden beobachtet, bis sie entschieden sind; Zahlungen gehen weiterhin direkt an Ihre eigene Wallet.',
      'Wenn Sie das nicht waren, registrieren Sie sich mit dieser Adresse neu und bestätigen Sie Ihre Wallet wieder: Ihre Adressen werden dort fortgesetzt, wo sie waren. Ändern Sie danach das Passwort Ihres Postfachs und wenden Sie sich an den Betreiber dieses Dienstes.',
    ],
    action: { label: 'Registrieren', page: 'register' },
  }),
  notices_changed: () => ({
    subject: 'Ihre Auswahl der Hinweise wurde geändert',
    paragraphs: ['Es wurde geändert, welche Hinweise Sie per E-Mail erhalten.', NOT_YOU],
    action: { label: 'Hinweise prüfen', page: 'settings' },
  }),
  invitation: ({ inviter, project, role }) => ({
    subject: 'Sie sind zu einem Projekt eingeladen',
    paragraphs: [
      `${inviter} lädt Sie ein, mit der Rolle ${ROLES[role as ProjectRole]} mitzuarbeiten. Es geht um ${projectOf(project)}.`,
      'Sie brauchen ein Konto mit dieser E-Mail-Adresse. Wenn Sie keines haben, können Sie es über den Link erstellen.',
      'Der Link funktioniert einmal, 7 Tage lang. Wenn Sie den Absender nicht kennen, ignorieren Sie diese E-Mail.',
    ],
    action: { label: 'Einladung ansehen', page: 'accept-invitation' },
  }),
  members_changed: (data) => membersText('Die Mitglieder Ihres Projekts haben sich geändert', data),
  owners_changed: (data) => membersText('Die Inhaber Ihres Projekts haben sich geändert', data),
  membership_changed: ({ change, project, role }) => ({
    subject: 'Ihre Rolle in einem Projekt hat sich geändert',
    paragraphs: [
      `Es geht um ${projectOf(project)}.`,
      change === 'removed'
        ? 'Sie wurden entfernt und haben keinen Zugriff mehr.'
        : `Sie haben jetzt die Rolle ${ROLES[role as ProjectRole]}.`,
      'Wenn Sie das nicht erwartet haben, fragen Sie einen Inhaber des Projekts.',
    ],
    action: { label: 'Projekte anzeigen', page: 'projects' },
  }),
  new_device: ({ network }) => ({
    subject: 'Neue Anmeldung bei Ihrem Konto',
    paragraphs: [`Jemand hat sich aus einem bisher unbekannten Netz angemeldet: ${network}.`, NOT_YOU],
    action: { label: 'Konto prüfen', page: 'settings' },
  }),
  password_changed: () => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: ['Das Passwort Ihres Kontos wurde geändert, und alle Sitzungen wurden beendet.', NOT_YOU],
    action: { label: 'Passwort zurücksetzen', page: 'forgot-password' },
  }),
  second_factor_changed: ({ change, name }) => ({
    subject: 'Die Zwei-Faktor-Anmeldung Ihres Kontos wurde geändert',
    paragraphs: [SECOND_FACTOR_CHANGES[change as SecondFactorChange](name ?? ''), NOT_YOU],
    action: { label: 'Zwei-Faktor-Anmeldung prüfen', page: 'settings' },
  }),
  wallet_changed: ({ currency, change, address }) => ({
    subject: `${change === 'verified' ? 'Neue' : 'Angemeldete'} Wallet für ${currency}`,
    paragraphs: [
      change === 'verified'
        ? `Zahlungen in ${currency} gehen jetzt an die Wallet mit der ersten Adresse ${address}.`
        : `Eine Wallet für ${currency} wurde hinterlegt. Ihre erste Adresse ist ${address}. Zahlungen gehen dorthin, sobald sie verifiziert ist.`,
      NOT_YOU,
    ],
    action: { label: 'Wallets prüfen', page: 'wallets' },
  }),
  wallet_change_pending: ({ currency, address, seconds, effective_at: at }) => ({
    subject:
      seconds === undefined
        ? `Ihre Wallet für ${currency} wird geändert`
        : 'Änderungen Ihrer Wallets sollen schneller gelten',
    paragraphs: [
      seconds === undefined
        ? `Ab ${momentText(at)} gehen Zahlungen in ${currency} an eine andere Wallet. Ihre erste Adresse ist ${address}. Bis dahin gehen sie dorthin, wo sie heute hingehen.`
        : `Ab ${momentText(at)} warten Änderungen Ihrer Wallets nur noch ${seconds} Sekunden.`,
      'Wenn Sie das veranlasst haben, ist nichts zu tun.',
      'Wenn nicht, hat jemand anderes Zugriff auf Ihr Konto. Brechen Sie die Änderung ab, dafür ist kein Passwort nötig. Setzen Sie dann Ihr Passwort zurück und widerrufen Sie API-Schlüssel, die Sie nicht kennen.',
    ],
    action: { label: 'Änderung abbrechen', page: 'cancel-wallet-changes' },
  }),
  wallet_change_ended: ({ currency, address, outcome }) => ({
    subject:
      outcome === 'applied'
        ? `Ihre Wallet für ${currency} wurde geändert`
        : `Änderung Ihrer Wallet für ${currency} abgebrochen`,
    paragraphs: [
      outcome === 'applied'
        ? `Zahlungen in ${currency} gehen jetzt an die Wallet mit der ersten Adresse ${address}.`
        : `Die Wallet für ${currency} mit der ersten Adresse ${address} wird nicht verwendet. Zahlungen gehen weiterhin an die bisherige Wallet.`,
      NOT_YOU,
    ],
    action: { label: 'Wallets prüfen', page: 'wallets' },
  }),
  endpoint_changed: ({ host }) => ({
    subject: 'Ihr Webhook-Endpunkt wurde geändert',
    paragraphs: [
      `Webhooks werden jetzt an ${host} gesendet und mit einem neuen Geheimnis signiert.`,
      NOT_YOU,
    ],
    action: { label: 'Endpunkt prüfen', page: 'webhooks' },
  }),
  branding_changed: () => ({
    subject: 'Ihre Zahlungsseiten wurden geändert',
    paragraphs: [
      'Name, Logo, Farbe, ein Text oder ein Link auf den Seiten, auf denen Sie bezahlt werden, wurde geändert. Wer zahlt oder spendet, sieht die Änderung sofort.',
      NOT_YOU,
    ],
    action: { label: 'Zahlungsseiten prüfen', page: 'settings' },
  }),
  api_key_changed: ({ change, key }) => ({
    subject: change === 'created' ? 'Neuer API-Schlüssel' : 'API-Schlüssel widerrufen',
    paragraphs: [
      change === 'created'
        ? `Der API-Schlüssel ${key} wurde erstellt.`
        : `Der API-Schlüssel ${key} wurde widerrufen.`,
      NOT_YOU,
    ],
    action: { label: 'API-Schlüssel prüfen', page: 'keys' },
  }),
  endpoint_failing: ({ host }) => ({
    subject: 'Ihr Webhook-Endpunkt nimmt keine Ereignisse an',
    paragraphs: [
      `Webhooks an ${host} schlagen seit mehr als einer halben Stunde fehl. Sie werden sieben Tage lang wiederholt.`,
      'Die letzten Versuche jedes Ereignisses zeigen die Ursache.',
    ],
    action: { label: 'Ereignisse anzeigen', page: 'webhooks' },
  }),
  pool_low: ({ currency }) => ({
    subject: `Ihrer Wallet für ${currency} gehen die Adressen aus`,
    paragraphs: [
      `Für ${currency} sind nur noch wenige Empfangsadressen frei. Ohne freie Adresse kann keine Rechnung erstellt werden.`,
      'Erhöhen Sie das Gap-Limit, zuerst in Ihrer Wallet-Software.',
    ],
    action: { label: 'Wallets anzeigen', page: 'wallets' },
  }),
  subscription_ending: ({ day }) => ({
    subject: 'Ihr Abonnement endet bald',
    paragraphs: [
      `Ihr Abonnement endet am ${day}. Danach können Sie keine neuen Rechnungen erstellen. Bestehende werden weiter verfolgt.`,
    ],
    action: { label: 'Abonnement verlängern', page: 'settings' },
  }),
  footer: (host) =>
    `Gesendet von Paywatch auf ${host}. Welche Hinweise Sie erhalten, wählen Sie im Kontobereich.`,
};
