import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Moderation',
  hint: 'Choose which donations wait for your moderators before an overlay shows them. Payments, invoices and webhooks are never delayed.',
  hold: 'Hold donations',
  modes: {
    none: 'None: show all immediately',
    all: 'All',
    links_and_words: 'With links or listed words',
    first_time: 'With text, from new donors',
  },
  firstTimeHint: 'Donors are recognized by name only, and anybody can use any name.',
  words: 'Your own words',
  wordsHint:
    'One per line, in addition to the built-in lists in 20 languages. They also match inside longer words and ignore case and accents.',
  save: 'Save',
  saved: 'Saved. This applies to donations that are confirmed from now on.',
  control: 'Control page',
  controlHint:
    'With this link, moderators approve, skip, replay and pause alerts, on a phone or a second screen. It allows nothing else.',
  create: 'Create control page',
  open: 'Open control page',
  replace: 'Replace link',
  replaceAsk: 'Replace the link of the control page?',
  replaceDetail: 'The current link stops working immediately. Send the new one to your moderators.',
  replaced: 'Link replaced. Only the new link works now.',
};
/** The shape that every other language has to fill. */
export type ModerationTexts = typeof en;

const de: ModerationTexts = {
  heading: 'Moderation',
  hint: 'Wählen Sie, welche Spenden auf Ihre Moderation warten, bevor ein Overlay sie zeigt. Zahlungen, Rechnungen und Webhooks werden nie verzögert.',
  hold: 'Spenden zurückhalten',
  modes: {
    none: 'Keine: alle sofort zeigen',
    all: 'Alle',
    links_and_words: 'Mit Links oder gesperrten Wörtern',
    first_time: 'Mit Text, von neuen Spendenden',
  },
  firstTimeHint: 'Spendende werden nur am Namen erkannt, und jeder kann jeden Namen verwenden.',
  words: 'Eigene Wörter',
  wordsHint:
    'Eines pro Zeile, zusätzlich zu den eingebauten Listen in 20 Sprachen. Sie werden auch in längeren Wörtern erkannt, unabhängig von Groß- und Kleinschreibung und Akzenten.',
  save: 'Speichern',
  saved: 'Gespeichert. Das gilt für Spenden, die ab jetzt bestätigt werden.',
  control: 'Steuerungsseite',
  controlHint:
    'Mit diesem Link kann Ihre Moderation Meldungen freigeben, überspringen, wiederholen und anhalten, am Handy oder zweiten Bildschirm. Mehr erlaubt er nicht.',
  create: 'Steuerungsseite anlegen',
  open: 'Steuerungsseite öffnen',
  replace: 'Link ersetzen',
  replaceAsk: 'Den Link der Steuerungsseite ersetzen?',
  replaceDetail:
    'Der bisherige Link funktioniert sofort nicht mehr. Senden Sie den neuen an Ihre Moderation.',
  replaced: 'Link ersetzt. Nur noch der neue Link funktioniert.',
};

/** The texts of the moderation panel, by language. */
export const MODERATION_TEXTS: Readonly<Record<Language, ModerationTexts>> = { en, de };
