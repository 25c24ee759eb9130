import type { Currency, PublicInvoiceView } from '@paywatch/domain/contract';
import { payStage } from '../../pay/pay-stage.ts';
import type { PosTexts } from '../pos-en.ts';

export type SaleState = keyof PosTexts['states'];

/** A sale as the device remembers it. */
export type Sale = {
  readonly publicId: string;
  /** As it was typed, with its unit. */
  readonly amount: string;
  readonly note: string;
  readonly currency: Currency;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  readonly state: SaleState;
};

const MAX_SALES = 20;

/** The sales of a point of sale, newest first. Empty if the browser keeps nothing, or something else is kept there. */
export function readSales(token: string): Sale[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(token)) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keeps them on this device. Without storage, such as in a private window, the list lasts until the page is left. */
export function writeSales(token: string, sales: readonly Sale[]): void {
  try {
    localStorage.setItem(nameOf(token), JSON.stringify(sales));
  } catch {
    // Selling works without the list.
  }
}

function nameOf(token: string): string {
  return `paywatch.pos.${token}`;
}

/** Adds a sale in front; a sale that is listed already only changes its state. Pure. */
export function withSale(sales: readonly Sale[], sale: Sale): Sale[] {
  if (!sales.some(({ publicId }) => publicId === sale.publicId)) return [sale, ...sales].slice(0, MAX_SALES);
  return sales.map((kept) => (kept.publicId === sale.publicId ? { ...kept, state: sale.state } : kept));
}

/** What the list shows about an invoice. Pure. */
export function saleState(invoice: PublicInvoiceView, nowMs: number): SaleState {
  const stage = payStage(invoice, nowMs);
  if (stage === 'waiting' || stage === 'partial') return 'open';
  if (stage === 'seen' || stage === 'paid') return stage;
  return stage === 'expired' || stage === 'closing' ? 'unpaid' : 'check';
}
