import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import type { PayStage } from './pay-stage.ts';

/** A state in plain words, and how much it wants of the reader: amber waits, green is done, red wants an act. */
export type PayWords = { readonly title: string; readonly detail: string; readonly tone: Tone };
export type Tone = 'calm' | 'waiting' | 'done' | 'act';

/** Says what the stage means to the payer. Pure. */
export function payWords(texts: PayTexts, stage: PayStage, invoice: PublicInvoiceView): PayWords {
  const isDonation = invoice.type === 'donation';
  switch (stage) {
    case 'waiting':
      return { ...texts.waiting, tone: 'calm' };
    case 'closing':
      return { ...texts.closing, tone: 'calm' };
    case 'seen':
      return { ...texts.seen, tone: 'waiting' };
    case 'partial':
      return { ...texts.partial(...sumsOf(invoice)), tone: 'act' };
    case 'partial-closing':
      return { ...texts.partialClosing, tone: 'waiting' };
    case 'withdrawn':
      return { ...texts.withdrawn, tone: 'act' };
    case 'paid':
      return { ...(isDonation ? texts.donated(invoice.project_name) : texts.paid), tone: 'done' };
    case 'reversed':
      return { ...texts.reversed, tone: 'act' };
    case 'underpaid':
      return { ...texts.underpaid, tone: 'act' };
    case 'expired':
      return { ...texts.expired, tone: 'calm' };
    case 'late':
      return isDonation ? { ...texts.lateDonation, tone: 'done' } : { ...texts.late, tone: 'act' };
  }
}

function sumsOf({ received_amount, due_amount, currency }: PublicInvoiceView): [string, string] {
  return [coinText(received_amount, currency), coinText(due_amount ?? '0', currency)];
}

/** The title of the page: the state first, since it is what a narrow tab shows. */
export function payTitle(texts: PayTexts, stage: PayStage, invoice: PublicInvoiceView): string {
  const { title, tone } = payWords(texts, stage, invoice);
  const state = `${tone === 'done' ? '✓ ' : ''}${title.replace(/\.$/, '')}`;
  return invoice.project_name === null ? state : `${state} – ${invoice.project_name}`;
}
