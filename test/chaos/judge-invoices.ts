import type { Currency } from '@paywatch/dev';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineOf, type Delay } from './chain-deadlines.ts';
import type { ChainHistory } from './chain-history.ts';
import { GRACE_SECONDS, type ChainStage, type Sold } from './chain-stage.ts';
import { compareInvoice } from './compare-invoice.ts';
import { decideFromHistory, type Answer, type Terms } from './decide-from-history.ts';

/** What happened on one chain, as its node held it and as payers were shown it. */
export type Witnessed = { currency: Currency; history: ChainHistory; delays: readonly Delay[] };

/** Every difference in words, what has several right answers, and how many invoices there are of each status. */
export type Judged = { differences: string[]; undecidable: string[]; statuses: Record<string, number> };

/** How long Paywatch may take to agree once everything is calm. */
const SETTLE_MS = 45_000;

/** Compares all invoices once every time to pay is surely over, until there is no difference, or for as long as Paywatch may take. */
export async function judgeInvoices(
  stage: ChainStage,
  chains: readonly Witnessed[],
  sold: readonly Sold[],
): Promise<Judged> {
  const cases = await Promise.all(sold.map((invoice) => awaitItsEnd(invoice, chains)));
  await Promise.all(chains.map(({ history }) => history.note()));
  const untilMs = Date.now() + SETTLE_MS;
  for (;;) {
    const judged = await judgeAll(stage, cases);
    if (judged.differences.length === 0 || Date.now() > untilMs) return judged;
    await sleep(2000);
  }
}

/** An invoice with the time at which its time to pay has really ended. */
type Case = { invoice: Sold; terms: Terms; history: ChainHistory };

async function awaitItsEnd(invoice: Sold, chains: readonly Witnessed[]): Promise<Case> {
  const chain = chains.find(({ currency }) => currency === invoice.currency);
  if (!chain) throw new Error(`${invoice.currency} has no history`);
  const { history, delays } = chain;
  const looks = { calmBetween: history.calmBetween, delays };
  const { earliest } = invoice.terms.deadlineMs;
  for (;;) {
    const nowMs = Date.now();
    const deadlineMs = deadlineOf(earliest, looks, { graceMs: GRACE_SECONDS * 1000, nowMs });
    if (deadlineMs && nowMs > deadlineMs.latest) {
      return { invoice, history, terms: { ...invoice.terms, deadlineMs } };
    }
    await sleep(500);
  }
}

async function judgeAll(stage: ChainStage, cases: readonly Case[]): Promise<Judged> {
  const judged: Judged = { differences: [], undecidable: [], statuses: {} };
  for (const each of cases) await judge(stage, each, judged);
  return judged;
}

async function judge(stage: ChainStage, { invoice, terms, history }: Case, judged: Judged): Promise<void> {
  const { publicId, currency, scriptHex } = invoice;
  const { money, views, blocks } = history.of(scriptHex);
  const view = views.at(-1);
  if (!view) throw new Error('a history has a view');
  const answers = decideFromHistory(terms, money, views);
  const shown = await stage.show(publicId);
  const heard = stage.heardOf(publicId);
  const found = compareInvoice({ terms, scriptHex, money, answers, view, blocks, shown, heard });
  judged.differences.push(...found.map((difference) => `${currency} ${publicId}: ${difference}`));
  if (!isDecided(answers)) {
    judged.undecidable.push(`${currency} ${publicId} (${money.length} payments): ${JSON.stringify(answers)}`);
  }
  count(judged.statuses, shown.status);
  if (shown.reversed) count(judged.statuses, 'reversed');
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Whether only one outcome is right: which payments are late is compared one by one. */
function isDecided(answers: readonly Answer[]): boolean {
  const outcomes = answers.map(({ status, isReversed, events }) => [status, isReversed, ...events].join());
  return new Set(outcomes).size === 1;
}
