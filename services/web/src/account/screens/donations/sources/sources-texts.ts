import type { Language } from '../../../../ui/language.ts';

/** A setting that may be refused. */
export type SourceField = 'title' | 'unit' | 'target' | 'since' | 'added' | 'counter_since';

const en = {
  heading: 'More browser sources',
  hint: 'Add any of these URLs to OBS as a browser source. They use the colors and the position of the overlay settings. Held donations count once they are approved.',
  sources: {
    goal: 'Goal bar',
    counter: 'Counter',
    latest: 'Latest donations',
    ticker: 'Ticker',
    top: 'Top donors',
  },
  period: 'Period of the top donors',
  periods: { day: 'Today', week: 'This week', month: 'This month', all: 'All time' },
  settings: 'Goal and counter',
  target: 'Goal',
  targetHint: 'The amount to reach. Without one, there is no goal.',
  unit: 'Currency of the goal',
  unitHint: 'BTC, LTC, or a currency such as EUR. Donations count at the current exchange rate.',
  title: 'Title of the goal',
  since: 'Goal counts from',
  sinceHint: 'The day in UTC. Leave it empty to count all donations.',
  added: 'Received elsewhere',
  addedHint: 'What you received outside Paywatch, in the currency of the goal.',
  counterSince: 'Counter counts from',
  save: 'Save',
  saved: 'Saved. Open browser sources show it now.',
  preview: 'Preview of the goal bar',
  fieldError: (_field: SourceField, detail: string): string => detail,
};
/** The shape that every other language has to fill. */
export type SourcesTexts = typeof en;

const de: SourcesTexts = {
  heading: 'Weitere Browserquellen',
  hint: 'Fügen Sie jede dieser URLs in OBS als Browserquelle hinzu. Farben und Position gelten wie im Overlay. Zurückgehaltene Spenden zählen, sobald sie freigegeben sind.',
  sources: {
    goal: 'Zielbalken',
    counter: 'Zähler',
    latest: 'Letzte Spenden',
    ticker: 'Laufband',
    top: 'Top-Spender',
  },
  period: 'Zeitraum der Top-Spender',
  periods: { day: 'Heute', week: 'Diese Woche', month: 'Dieser Monat', all: 'Gesamt' },
  settings: 'Ziel und Zähler',
  target: 'Ziel',
  targetHint: 'Der Betrag, der erreicht werden soll. Ohne Betrag gibt es kein Ziel.',
  unit: 'Währung des Ziels',
  unitHint: 'BTC, LTC oder eine Währung wie EUR. Spenden zählen zum aktuellen Wechselkurs.',
  title: 'Titel des Ziels',
  since: 'Ziel zählt ab',
  sinceHint: 'Der Tag in UTC. Ohne Tag zählen alle Spenden.',
  added: 'Anderweitig erhalten',
  addedHint: 'Was Sie auf anderen Wegen erhalten haben, in der Währung des Ziels.',
  counterSince: 'Zähler zählt ab',
  save: 'Speichern',
  saved: 'Gespeichert. Geöffnete Browserquellen zeigen es jetzt.',
  preview: 'Vorschau des Zielbalkens',
  fieldError: (field, detail) => GERMAN_ERRORS[field] ?? detail,
};

/** The API describes errors in English only. */
const GERMAN_ERRORS: Readonly<Partial<Record<SourceField, string>>> = {
  title: 'Verwenden Sie höchstens 60 Zeichen.',
  unit: 'Für diese Währung gibt es hier keine Wechselkurse.',
  target: 'Geben Sie einen Betrag über 0 ein, zum Beispiel 500 oder 0,05.',
  since: 'Wählen Sie einen Tag seit 2009.',
  added: 'Geben Sie einen Betrag ein, zum Beispiel 50 oder 0,05.',
  counter_since: 'Wählen Sie einen Tag seit 2009.',
};

/** The texts of the panel of browser sources, by language. */
export const SOURCES_TEXTS: Readonly<Record<Language, SourcesTexts>> = { en, de };
