import type { PurchasesTexts } from './purchases-en.ts';

/** What stands beside days of subscription that are for sale, in German. */
export const purchasesDe: PurchasesTexts = {
  offer: (days) => `${days} Tage mehr, zu den übrigen dazu. Sie zählen ab der Bestätigung der Zahlung.`,
  pay: (price) => `${price} zahlen`,
  heading: 'Zahlungen',
  columns: { at: 'Begonnen', price: 'Preis', days: 'Tage', state: 'Stand' },
  states: {
    open: 'Wartet auf die Zahlung',
    seen: 'Zahlung gesehen',
    extended: 'Bezahlt, Tage gutgeschrieben',
    ended: 'Nicht rechtzeitig bezahlt',
    undecided: 'Zu spät oder zu wenig: der Betreiber dieses Dienstes weiß weiter',
  },
};
