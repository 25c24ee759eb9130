import type { ReadPurchaseForm } from '@paywatch/domain/contract';
import { purchaseRequest, type openAmount } from '../link/purchase-draft.ts';

/** Parses the form of a payment link as a browser without JavaScript submits it. Pure; unknown fields are ignored. */
export const readPurchaseForm: ReadPurchaseForm = (fields) => {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  const [coins, price] = [text('amount'), text('price_amount')];
  const currency = text('currency') ?? '';
  const typed = price ?? coins ?? '';
  return {
    draft: { currency, amount: typed },
    request: purchaseRequest(openOf(coins, price), typed, currency),
  };
};

/** The form has one of the two fields where the link leaves the amount open. */
function openOf(coins: string | null, price: string | null): ReturnType<typeof openAmount> {
  if (price !== null) return 'price';
  return coins === null ? null : 'coins';
}
