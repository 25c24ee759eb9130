import type { Currency } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineOf, type Looks } from './chain-deadlines.ts';
import type { ChainHistory } from '../chain-history.ts';
import { GRACE_SECONDS, type Sold } from '../chain-shops.ts';
import { QUARANTINE_SECONDS, type ChainStage } from '../chain-stage.ts';
import { compareInvoice } from './compare/compare-invoice.ts';
import {
  decideFromHistory,
  type Answer,
  type Money,
  type Place,
  type Terms,
  type View,
} from './decide-from-history.ts';
import { delaysOf, judgeDelays, judgeReads, type DelayAnswer } from '../delays/judge-delays.ts';
import {
  isContested,
  isReused,
  judgeLeases,
  ownersOf,
  type Holder,
  type Lease,
  type Owner,
  type Rules,
} from './lease-book.ts';

/** What happened on one chain, as its node held it and as payers were shown it, and how long watchers took to start. */
export type Witnessed = {
  currency: Currency;
  history: ChainHistory;
  answers: readonly DelayAnswer[];
  slowestStartMs: number;
};

/** Every difference in words, what has several right answers, and how many invoices there are of each status. */
export type Judged = { differences: string[]; undecidable: string[]; statuses: Record<string, number> };

/** What has not changed for so long will not change any more: a rescan that failed, or whose watcher was killed, waits for a minute. */
const SETTLE_MS = 120_000;
/** After this time a Paywatch that has not caught up is judged as it is. Far longer than a slow machine takes. */
const MOST_MS = 1_200_000;

/**
 * Compares all invoices once every time to pay is surely over: until there is no difference, or until Paywatch changes nothing about
 * the differences any more.
 */
export async function judgeInvoices(
  stage: ChainStage,
  chains: readonly Witnessed[],
  sold: readonly Sold[],
): Promise<Judged> {
  const untilMs = Date.now() + MOST_MS;
  for (let [before, sinceMs] = ['', Date.now()]; ;) {
    const cases = await Promise.all(sold.map((invoice) => awaitItsEnd(invoice, chains, untilMs)));
    await Promise.all(chains.map(({ history }) => history.note()));
    const judged = await judgeAll(stage, chains, cases);
    const found = judged.differences.join();
    if (found !== before) [before, sinceMs] = [found, Date.now()];
    if (found === '' || Date.now() > Math.min(untilMs, sinceMs + SETTLE_MS)) return judged;
    await sleep(2000);
  }
}

/** An invoice with the time at which its time to pay has really ended. */
type Case = { invoice: Sold; terms: Terms; history: ChainHistory };

async function awaitItsEnd(invoice: Sold, chains: readonly Witnessed[], untilMs: number): Promise<Case> {
  const chain = chains.find(({ currency }) => currency === invoice.currency);
  if (!chain) throw new Error(`${invoice.currency} has no history`);
  const { history, answers } = chain;
  // An extended invoice may still be paid when the run ends, so it is judged as it is.
  if (invoice.sale.extension !== null) return { invoice, history, terms: invoice.terms };
  for (;;) {
    const nowMs = Date.now();
    const deadlineMs = endOf(invoice, { ...history, delays: delaysOf(answers) }, nowMs);
    if ((deadlineMs && nowMs > deadlineMs.latest) || nowMs > untilMs) {
      return {
        invoice,
        history,
        terms: { ...invoice.terms, deadlineMs: deadlineMs ?? invoice.terms.deadlineMs },
      };
    }
    await sleep(500);
  }
}

/** When the time to pay has really ended; null where that is not sure yet. */
export function endOf(
  { terms }: Pick<Sold, 'terms'>,
  looks: Looks,
  nowMs: number,
): Terms['deadlineMs'] | null {
  return deadlineOf(terms.deadlineMs.earliest, looks, { graceMs: GRACE_SECONDS * 1000, nowMs });
}

async function judgeAll(
  stage: ChainStage,
  chains: readonly Witnessed[],
  cases: readonly Case[],
): Promise<Judged> {
  const judged: Judged = { differences: [], undecidable: [], statuses: {} };
  const leases = cases.map(({ invoice }) => leaseOf(stage, invoice));
  for (const each of cases) await judge(stage, each, { cases, leases }, judged);
  for (const { currency, history, answers, slowestStartMs } of chains) {
    const theirs = leases.filter(({ publicId }) => isOf(cases, publicId, currency));
    const faults = [
      ...judgeLeases(theirs, history.of, rulesOf(history)),
      ...judgeDelays(answers, history, slowestStartMs),
      ...judgeReads(history),
    ];
    judged.differences.push(...faults.map((fault) => `${currency} ${fault}`));
  }
  return judged;
}

function rulesOf({ surelyLooked }: ChainHistory): Rules {
  return { quarantineMs: QUARANTINE_SECONDS * 1000, surelyLooked };
}

function isOf(cases: readonly Case[], publicId: string, currency: Currency): boolean {
  return cases.some(({ invoice }) => invoice.publicId === publicId && invoice.currency === currency);
}

/** An expiry is compared with the chain like every event. */
function leaseOf(stage: ChainStage, { publicId, scriptHex, terms, sale }: Sold): Lease {
  const expired = stage
    .arrivedFor(publicId)
    .map(({ rawBody }) => JSON.parse(rawBody) as { type: string; created_at: string })
    .find(({ type }) => type === 'invoice.expired');
  const expiredMs = expired ? Date.parse(expired.created_at) : null;
  const isImported = sale.imported !== null;
  return { publicId, scriptHex, type: terms.type, isImported, createdMs: leasedMs(sale), expiredMs };
}

/** An imported order has had its address since its customer was shown it. */
function leasedMs({ createdAt, imported }: Sold['sale']): number {
  return imported?.createdMs ?? Date.parse(createdAt);
}

async function judge(
  stage: ChainStage,
  { invoice, terms, history }: Case,
  others: { cases: readonly Case[]; leases: readonly Lease[] },
  judged: Judged,
): Promise<void> {
  const { publicId, currency, scriptHex } = invoice;
  const { money: paid, views, blocks } = history.of(scriptHex);
  const view = views.at(-1);
  if (!view) throw new Error('a history has a view');
  const lease = leaseOf(stage, invoice);
  const owners = ownersOf(holdersOf(scriptHex, others.cases), paid);
  const isUnclear =
    [...owners.values()].includes('contested') ||
    // What comes before a lease is not always met before it.
    isContested(lease, { money: paid, views }, rulesOf(history));
  if (isUnclear)
    return void judged.undecidable.push(`${currency} ${publicId}: it is not certain whose its money is`);
  const money = paid.filter(({ id }) => isOwnedBy(owners.get(id), publicId));
  const answers = decideFromHistory(terms, money, views, history);
  const sale = { ...invoice.sale, isReused: isReused(others.leases, lease) };
  const { shown, shownToPayers } = await stage.show(invoice);
  const arrived = stage.arrivedFor(publicId);
  const { knownBlocks } = history;
  const foreign = new Set(paid.filter((one) => !money.includes(one)).map(({ id }) => id));
  const found = compareInvoice({
    sale,
    terms,
    scriptHex,
    foreign,
    money,
    answers,
    view,
    views,
    blocks,
    knownBlocks,
    shown,
    shownToPayers,
    arrived,
  });
  judged.differences.push(...found.map((difference) => `${currency} ${publicId}: ${difference}`));
  const reasons = (): string => `${timesOf(invoice, terms, money)}; ${placesOf(money, views)}`;
  if (found.length > 0) judged.differences.push(`${currency} ${publicId}: ${reasons()}`);
  if (!isDecided(answers))
    judged.undecidable.push(`${currency} ${publicId}: ${JSON.stringify(answers)}; ${reasons()}`);
  const { status, reversed } = shown as { status: string; reversed: boolean };
  count(judged.statuses, status);
  if (reversed) count(judged.statuses, 'reversed');
}

/** What a difference may come from: when the time to pay ended, and when the money was sent. */
function timesOf(invoice: Sold, { deadlineMs }: Terms, money: readonly Money[]): string {
  const stated = time(invoice.terms.deadlineMs.earliest);
  const ended = `between ${time(deadlineMs.earliest)} and ${time(deadlineMs.latest)}`;
  const sent = money.map(({ id, sentMs }) => `${id} at ${time(sentMs)}`).join(', ');
  return `created ${invoice.sale.createdAt}, to be paid until ${stated}, which ended ${ended}; sent: ${sent}`;
}

/** Each change of place of the payments and their conflicts, from the first view with a payment on, and whether watchers could read that view. */
function placesOf(money: readonly Money[], views: readonly View[]): string {
  const first = views.findIndex(({ places }) => places.values().some((place) => place !== null));
  const lines = views.slice(first).map(({ fromMs, places, conflicts, calmMs }) => {
    const held = money.map(({ id }) => {
      const conflict = conflicts.get(id);
      const place = placeName(places.get(id) ?? null);
      return `${id.slice(0, 8)} ${place}${conflict === undefined ? '' : `, conflict in ${conflict}`}`;
    });
    return { fromMs, text: `${held.join(', ')}${calmMs === 0 ? ' (outage)' : ''}` };
  });
  const changes = lines.filter(({ text }, index) => text !== lines[index - 1]?.text);
  return changes.map(({ fromMs, text }) => `${time(fromMs)} ${text}`).join('; ');
}

function placeName(place: Place): string {
  if (place === null) return 'nowhere';
  return place === 'mempool' ? place : `in block ${place.height}`;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

/** Everybody who ever had the address. */
function holdersOf(scriptHex: string, cases: readonly Case[]): Holder[] {
  return cases
    .filter(({ invoice }) => invoice.scriptHex === scriptHex)
    .map(({ invoice: { publicId, sale }, terms: { type, asked, deadlineMs } }) => ({
      publicId,
      type,
      createdMs: leasedMs(sale),
      asked,
      deadlineMs: deadlineMs.latest,
    }));
}

function isOwnedBy(owner: Owner | undefined, publicId: string): boolean {
  return owner !== undefined && owner !== 'contested' && owner.publicId === publicId;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Whether only one outcome is right: which payments are late is compared one by one. */
function isDecided(answers: readonly Answer[]): boolean {
  const outcomes = answers.map(({ status, isReversed, events }) => [status, isReversed, ...events].join());
  return new Set(outcomes).size === 1;
}
