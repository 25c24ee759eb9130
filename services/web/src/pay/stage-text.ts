import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';
import type { PayTexts } from './texts/pay-en.ts';
import { isolated } from '../ui/isolated.ts';
import type { PayStage } from './pay-stage.ts';

/** A state in plain words, and how much it wants of the reader: amber waits, green is done, red wants an act. */
export type StageText = { readonly title: string; readonly detail: string; readonly tone: Tone };
type Tone = 'calm' | 'waiting' | 'done' | 'act';

/** Says what the stage means to the payer. Pure. */
export function stageText(texts: PayTexts, stage: PayStage, invoice: PublicInvoiceView): StageText {
  const tone = TONES[stage];
  const { project_name: name } = invoice;
  if (stage === 'partial') return { ...texts.partial(...sumsOf(invoice)), tone };
  if (invoice.type === 'donation' && stage === 'paid')
    return { ...texts.donated(name === null ? null : isolated(name)), tone };
  // Nobody was shown its address in time.
  if (stage === 'expired' && invoice.address === '') return { ...texts.unseenDonation, tone };
  // A donor owes nothing, so that nothing can come too late.
  if (invoice.type === 'donation' && stage === 'late') return { ...texts.lateDonation, tone: 'done' };
  return { ...texts.stages[stage], tone };
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

/** The title of the page: the state first, since it is what a narrow tab shows. */
export function documentTitle(texts: PayTexts, stage: PayStage, invoice: PublicInvoiceView): string {
  const { title, tone } = stageText(texts, stage, invoice);
  const state = `${tone === 'done' ? '✓ ' : ''}${title.replace(/\.$/, '')}`;
  return invoice.project_name === null ? state : `${state} – ${invoice.project_name}`;
}
