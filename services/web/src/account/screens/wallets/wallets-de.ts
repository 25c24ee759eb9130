import type { WalletsTexts } from './wallets-en.ts';

/** What stands on the screen of wallets, in German. */
export const walletsDe: WalletsTexts = {
  heading: 'Wallets',
  add: 'Wallet registrieren',
  replace: 'Eine neue Wallet übernimmt, sobald sie geprüft ist; bis dahin dient die alte.',
  empty: 'Noch keine Wallet. Registrieren Sie eine, um Zahlungen in ihr zu empfangen.',
  currency: 'Währung',
  xpub: 'Erweiterter öffentlicher Schlüssel',
  xpubHint:
    'Beginnt mit xpub, ypub, zpub, Ltub oder Mtub. Fügen Sie nie einen privaten Schlüssel oder Merkwörter ein.',
  secrets: {
    private_key:
      'Das war ein privater Schlüssel. Das Feld wurde geleert und nichts gesendet. Fügen Sie nie irgendwo einen privaten Schlüssel ein: Liegt Geld in seiner Wallet, überweisen Sie es jetzt in eine neue Wallet.',
    seed_phrase:
      'Das sah nach Merkwörtern aus. Das Feld wurde geleert und nichts gesendet. Fügen Sie nie irgendwo Merkwörter ein: Liegt Geld in ihrer Wallet, überweisen Sie es jetzt in eine neue Wallet.',
  },
  ownAccount:
    'Verwenden Sie ein Konto Ihrer Wallet, auf dem sonst nichts eingeht. Legen Sie für Paywatch am besten ein neues an.',
  scriptType: 'Adressart',
  scriptTypes: {
    auto: 'Nach dem Schlüssel',
    p2pkh: 'Legacy (1…, L…)',
    p2sh_p2wpkh: 'Verschachteltes SegWit (3…, M…)',
    p2wpkh: 'Natives SegWit (bc1q…, ltc1q…)',
  },
  path: 'Ableitungspfad',
  pathHint: "Etwa m/84'/0'/0'. Ihre Wallet zeigt ihn beim Schlüssel.",
  gapLimit: 'Gap-Limit',
  gapHint:
    'Wie viele unbenutzte Adressen in Folge Ihre Wallet durchsieht. Erhöhen Sie es zuerst in Ihrer Wallet.',
  advanced: 'Weitere Einstellungen',
  register: 'Registrieren',
  verified: 'Geprüft',
  unverified: 'Nicht geprüft',
  compare: 'Vergleichen Sie diese Adresse mit der ersten, die Ihre Wallet zum Empfangen zeigt (Index 0):',
  compareWhy:
    'Sind sie verschieden, gehören Schlüssel, Adressart oder Pfad nicht zu Ihrer Wallet, und Zahlungen würden dort nicht erscheinen.',
  paste: 'Empfangsadresse aus Ihrer Wallet',
  pasteHint:
    'Öffnen Sie Ihre Wallet, wählen Sie „Empfangen“ und kopieren Sie die Adresse von dort. Kopieren Sie sie nicht von dieser Seite.',
  verifyButton: 'Diese Wallet prüfen',
  serving: (currency) => `Die ${currency}-Wallet ist geprüft und dient.`,
  index: 'Nächster Index',
  address: 'Adresse bei Index 0',
  changes: 'Änderungen',
  actions: { registered: 'registriert', verified: 'geprüft', replaced: 'ersetzt' },
  bySession: 'im Konto',
  byKey: (key) => `mit dem API-Schlüssel ${key}`,
  unassigned: {
    heading: 'Zahlungen ohne Rechnung',
    why: 'Dieses Geld kam auf Adressen Ihrer Wallet, bevor eine Rechnung sie hatte, und zählt daher für keine. Verwenden Sie ein Konto Ihrer Wallet, auf dem sonst nichts eingeht.',
    address: 'Adresse',
  },
};
