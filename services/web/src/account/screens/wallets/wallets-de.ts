import type { WalletsTexts } from './wallets-en.ts';

/** German texts of the wallets screen. */
export const walletsDe: WalletsTexts = {
  heading: 'Wallets',
  add: 'Wallet hinzufügen',
  replace:
    'Eine neue Wallet übernimmt, sobald Sie sie verifiziert haben; nach einer Wartezeit, wenn Sie kürzlich bezahlt wurden. Bis dahin bleibt die bisherige aktiv.',
  empty: 'Noch keine Wallet. Fügen Sie eine hinzu, um Zahlungen zu empfangen.',
  currency: 'Währung',
  xpub: 'Erweiterter öffentlicher Schlüssel',
  xpubHint:
    'Beginnt mit xpub, ypub, zpub, Ltub oder Mtub. Fügen Sie niemals einen privaten Schlüssel oder eine Seed-Phrase ein.',
  secrets: {
    private_key:
      'Das war ein privater Schlüssel. Das Feld wurde geleert und nichts gesendet. Fügen Sie private Schlüssel niemals irgendwo ein. Liegt Geld in dieser Wallet, überweisen Sie es jetzt in eine neue Wallet.',
    seed_phrase:
      'Das sah nach einer Seed-Phrase aus. Das Feld wurde geleert und nichts gesendet. Fügen Sie Seed-Phrasen niemals irgendwo ein. Liegt Geld in dieser Wallet, überweisen Sie es jetzt in eine neue Wallet.',
  },
  ownAccount:
    'Verwenden Sie ein Wallet-Konto, auf dem sonst nichts eingeht. Legen Sie nach Möglichkeit ein neues Konto für Paywatch an.',
  scriptType: 'Adressart',
  scriptTypes: {
    auto: 'Aus dem Schlüssel ermitteln',
    p2pkh: 'Legacy (1…, L…)',
    p2sh_p2wpkh: 'Verschachteltes SegWit (3…, M…)',
    p2wpkh: 'Natives SegWit (bc1q…, ltc1q…)',
  },
  path: 'Ableitungspfad',
  pathHint: "Zum Beispiel m/84'/0'/0'. Ihre Wallet zeigt ihn neben dem Schlüssel an.",
  gapLimit: 'Gap-Limit',
  gapHint:
    'Wie viele unbenutzte Adressen in Folge Ihre Wallet durchsucht. Erhöhen Sie es zuerst in Ihrer Wallet.',
  advanced: 'Erweiterte Einstellungen',
  register: 'Wallet hinzufügen',
  verified: 'Verifiziert',
  unverified: 'Nicht verifiziert',
  waiting: 'Wartet',
  verifyWhy: 'Eine Adresse aus Ihrer Wallet zeigt, dass Zahlungen dort ankommen.',
  compare: 'Die erste Adresse, die Paywatch abgeleitet hat (Index 0), lautet:',
  compareWhy:
    'Zeigt Ihre Wallet eine andere erste Adresse, passen Schlüssel, Adressart oder Ableitungspfad nicht zu ihr.',
  paste: 'Empfangsadresse aus Ihrer Wallet',
  pasteHint:
    'Öffnen Sie Ihre Wallet, wählen Sie „Empfangen“ und kopieren Sie die Adresse von dort, nicht von dieser Seite.',
  verifyButton: 'Wallet verifizieren',
  active: (currency) => `Ihre ${currency}-Wallet ist verifiziert und aktiv.`,
  scheduled: (currency) =>
    `Ihre ${currency}-Wallet ist verifiziert. Sie wartet noch, bevor Zahlungen an sie gehen, weil Sie kürzlich bezahlt wurden.`,
  index: 'Nächster Index',
  address: 'Adresse bei Index 0',
  changes: 'Änderungsverlauf',
  actions: {
    registered: 'hinzugefügt',
    verified: 'verifiziert',
    replaced: 'ersetzt',
    change_scheduled: 'verifiziert, wartet',
    change_cancelled: 'Änderung abgebrochen',
    change_applied: 'gilt jetzt',
  },
  gapLimitChange: 'Gap-Limit ändern',
  gapLimitSave: 'Gap-Limit speichern',
  gapLimitSaved: (limit) =>
    `Das Gap-Limit beträgt ${limit}. Stellen Sie in Ihrer Wallet mindestens ${limit} ein, sonst findet sie womöglich nicht jede Zahlung.`,
  gapLimitSet: (limit) => `Gap-Limit auf ${limit} gesetzt`,
  bySession: 'im Kontobereich',
  byOperator: 'vom Betreiber',
  bySystem: 'durch Paywatch',
  byKey: (key) => `mit dem API-Schlüssel ${key}`,
  unassigned: {
    heading: 'Zahlungen ohne Rechnung',
    why: 'Diese Zahlungen gingen auf Adressen Ihrer Wallet ein, bevor eine Rechnung sie verwendet hat. Sie werden keiner Rechnung zugeordnet. Um das zu vermeiden, verwenden Sie ein Wallet-Konto, auf dem sonst nichts eingeht.',
    address: 'Adresse',
  },
};
