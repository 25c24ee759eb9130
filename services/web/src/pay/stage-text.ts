import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';
import type { PayTexts } from './texts/pay-en.ts';
import { isolated } from '../ui/isolated.ts';
import type { PayStage } from './pay-stage.ts';

/** The text of a stage and its color: amber for waiting, green for done, red where the payer must act. */
export type StageText = { readonly title: string; readonly detail: string; readonly tone: Tone };
type Tone = 'calm' | 'waiting' | 'done' | 'act';

/** Chooses the text of a stage. Pure. */
export function stageText(texts: PayTexts, stage: PayStage, invoice: PublicInvoiceView): StageText {
  const tone = TONES[stage];
  const { project_name: name } = invoice;
  if (stage === 'partial') return { ...texts.partial(...sumsOf(invoice)), tone };
  if (invoice.type === 'donation' && stage === 'paid')
    return { ...texts.donated(name === null ? null : isolated(name)), tone };
  if (invoice.type === 'donation' && stage === 'seen') return { ...texts.seenDonation, tone };
  // A donation or a purchase by a payment link whose payment page was never opened has no address.
  if (stage === 'expired' && invoice.address === '') return { ...unseenText(texts, invoice), tone };
  // A donation cannot be late: the donor owes nothing.
  if (invoice.type === 'donation' && stage === 'late') return { ...texts.lateDonation, tone: 'done' };
  return { ...texts.stages[stage], tone };
}

function unseenText(
  { stages, unseenDonation }: PayTexts,
  { type }: PublicInvoiceView,
): Omit<StageText, 'tone'> {
  return type === 'donation' ? unseenDonation : { ...unseenDonation, title: stages.expired.title };
}

const TONES: Readonly<Record<PayStage, Tone>> = {
  waiting: 'calm',
  closing: 'calm',
  seen: 'waiting',
  partial: 'act',
  'partial-closing': 'waiting',
  withdrawn: 'act',
  paid: 'done',
  reversed: 'act',
  underpaid: 'act',
  expired: 'calm',
  late: 'act',
};

function sumsOf({ received_amount, due_amount, currency }: PublicInvoiceView): [string, string] {
  return [coinText(received_amount, currency), coinText(due_amount ?? '0', currency)];
}

/** The document title. The state comes first because narrow tabs cut off the rest. */
export function documentTitle(texts: PayTexts, stage: PayStage, invoice: PublicInvoiceView): string {
  const { title, tone } = stageText(texts, stage, invoice);
  const state = `${tone === 'done' ? '✓ ' : ''}${title.replace(/\.$/, '')}`;
  return invoice.project_name === null ? state : `${state} – ${invoice.project_name}`;
}
