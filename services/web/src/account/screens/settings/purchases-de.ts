import type { PurchasesTexts } from './purchases-en.ts';

/** German texts for buying days of subscription. */
export const purchasesDe: PurchasesTexts = {
  offer: (days) =>
    `Verlängern Sie Ihr Abonnement um ${days} Tage. Die Tage werden gutgeschrieben, sobald Ihre Zahlung bestätigt ist.`,
  pay: (price) => `${price} zahlen`,
  heading: 'Zahlungen',
  columns: { at: 'Begonnen', price: 'Preis', days: 'Tage', state: 'Status' },
  states: {
    open: 'Wartet auf Zahlung',
    seen: 'Zahlung erkannt',
    extended: 'Bezahlt, Tage gutgeschrieben',
    ended: 'Nicht rechtzeitig bezahlt',
    undecided: 'Verspätet oder unterbezahlt, Betreiber fragen',
  },
};
