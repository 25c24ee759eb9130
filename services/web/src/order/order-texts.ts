import type { Language } from '../ui/language.ts';

const en = { lines: 'Your order', total: 'Total', terms: 'Terms', support: 'Help and contact' };
type OrderTexts = typeof en;

const de: OrderTexts = {
  lines: 'Ihre Bestellung',
  total: 'Summe',
  terms: 'Bedingungen',
  support: 'Hilfe und Kontakt',
};

/** The texts around a payment by language. The server renders them, so no script contains them. */
export const ORDER_TEXTS: Readonly<Record<Language, OrderTexts>> = { en, de };
