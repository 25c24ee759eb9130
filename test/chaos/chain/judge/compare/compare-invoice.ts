import { isDeepStrictEqual } from 'node:util';
import { compareAmounts } from './compare-amounts.ts';
import { compareEvents, type EventCase } from './compare-event.ts';
import { compareTerms } from './compare-terms.ts';
import type { Answer, Money, View } from '../decide-from-history.ts';
import { ownerViewShape, type OwnerView, type ShownPayment } from '../../../lease/owner-view.ts';
import type { RpcBlock } from '../../sources/rpc-block.ts';

/** The two sides of the comparison: the judge's answers with the node's last view, and the views and events of Paywatch. */
export type Case = EventCase & {
  answers: readonly Answer[];
  view: View;
  /** The blocks of the best chain. */
  blocks: readonly RpcBlock[];
  /** The owner's view and the payers' one, as they were answered. */
  shown: unknown;
  shownToPayers: unknown;
};

/** All differences between Paywatch and the right answers; empty if there are none. */
export function compareInvoice(given: Case): string[] {
  const { data: shown, error } = ownerViewShape.safeParse(given.shown);
  const events = [...compareEvents(given), ...repeatedEvents(given)];
  if (!shown) {
    const problem = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
    return [`view of another form: ${problem}`, ...events];
  }
  const right = rightAnswers(given, shown);
  return [
    ...compareVerdict(given, shown, right),
    ...comparePayments(given, shown, right),
    ...compareTerms(given.sale, shown),
    ...compareAmounts(given.terms, shown, isAsking(given, shown)),
    ...compareExtension(given, shown),
    ...compareVersion(given, shown),
    ...comparePublic(shown, given.shownToPayers),
    ...events,
  ];
}

function rightAnswers(given: Case, shown: OwnerView): Answer[] {
  const sent = sentEvents(given).toSorted().join();
  return given.answers.filter(
    ({ status, isReversed, events }) =>
      status === shown.status && isReversed === shown.reversed && events.join() === sent,
  );
}

function compareVerdict(given: Case, shown: OwnerView, right: readonly Answer[]): string[] {
  if (right.length > 0) return [];
  const verdict = { status: shown.status, isReversed: shown.reversed, events: sentEvents(given) };
  return [`${JSON.stringify(verdict)}, right is ${JSON.stringify(given.answers)}`];
}

type SentEvent = { eventId: string; type: string; txids: string[]; version: number };

/** What arrived, as far as it can be read. */
function arrivals({ arrived }: Case): SentEvent[] {
  return arrived.map(({ rawBody }) => {
    const body = JSON.parse(rawBody) as {
      id?: unknown;
      type?: unknown;
      data?: { payments?: { txid?: unknown }[]; invoice?: { version?: unknown } };
    };
    const txids = (body.data?.payments ?? []).map(({ txid }) => String(txid));
    const version = Number(body.data?.invoice?.version);
    return { eventId: String(body.id), type: String(body.type), txids: [...new Set(txids)], version };
  });
}

/** The reported events in the form of the right answers: a late peg-out has the id of its HogEx. */
function sentEvents(given: Case): string[] {
  const pegOut = given.money.find(({ isPegOut }) => isPegOut)?.id;
  const nameOf = (txid: string): string =>
    given.money.some(({ id }) => id === txid) ? txid : (pegOut ?? txid);
  const names = arrivals(given).map(({ type, txids }) =>
    type === 'invoice.late_payment' ? `${type} ${txids.map(nameOf).join()}` : type,
  );
  return [...new Set(names)];
}

/** One event has one id, however often it is delivered. */
function repeatedEvents(given: Case): string[] {
  const ids = new Set(arrivals(given).map(({ eventId }) => eventId));
  const count = sentEvents(given).length;
  return ids.size === count ? [] : [`${ids.size} event ids for ${count} events`];
}

/** Null while the judge cannot decide. */
function isAsking({ terms, view }: Case, { status }: OwnerView): boolean | null {
  if (status !== 'new' && status !== 'pending') return false;
  if (view.toMs > terms.deadlineMs.latest) return false;
  return view.toMs < terms.deadlineMs.earliest - ANSWER_MS ? true : null;
}

/** So long after the checker's last view the answer is read at the latest. */
const ANSWER_MS = 60_000;

function compareExtension({ sale }: Case, { extended }: OwnerView): string[] {
  const right = sale.extension !== null;
  return extended === right ? [] : [`extended ${extended}, right is ${right}`];
}

/** No event may have a later version than the invoice that is shown. */
function compareVersion(given: Case, { version }: OwnerView): string[] {
  const newest = Math.max(0, ...arrivals(given).map((event) => event.version));
  return newest > version ? [`version ${version} after an event of version ${newest}`] : [];
}

/** Payers see the same without the shop's bookkeeping. What depends on the moment is compared by the owner's view alone. */
function comparePublic(shown: OwnerView, shownToPayers: unknown): string[] {
  const {
    order_id: _order,
    ttl_seconds: _ttl,
    address_index: _index,
    accepted_in_fiat: _worth,
    ...shared
  } = shown;
  const {
    project_name: _project,
    branding,
    chain_delayed: delayed,
    network,
    explorer_url: explorer,
    ...theirs
  } = shownToPayers as Record<string, unknown>;
  const names = [...new Set([...Object.keys(shared), ...Object.keys(theirs)])];
  return [
    ...names
      .filter((name) => !isDeepStrictEqual(theirs[name], shared[name as keyof typeof shared]))
      .map((name) => `payers see ${name} ${JSON.stringify(theirs[name])}`),
    ...(network === 'regtest' && branding === null && explorer === null && typeof delayed === 'boolean'
      ? []
      : ['payers see another network, an explorer, a branding, or not whether the view lags']),
  ];
}

type Standing = { key: string; isOptional: boolean };

function comparePayments(given: Case, shown: OwnerView, right: readonly Answer[]): string[] {
  const { money, view } = given;
  const expected = expectedPayments(given);
  const listed = shown.payments.filter(({ status }) => status !== 'void');
  const missing = expected.filter(
    ({ key, isOptional }) => !isOptional && !listed.some((one) => keyOf(one) === key),
  );
  const wrong = listed.filter((one) => !expected.some(({ key }) => key === keyOf(one)));
  const revived = shown.payments.filter(({ txid, status }) => status === 'void' && isAt(view, txid));
  const lateness = listed.filter(({ txid, late }) => {
    const id = money.some((one) => one.id === txid) ? txid : money.find(({ isPegOut }) => isPegOut)?.id;
    return right.length > 0 && !right.some((answer) => answer.late.includes(id ?? txid) === late);
  });
  return [
    ...missing.map(({ key }) => `payment missing: ${key}`),
    ...wrong.map((one) => `payment not there: ${keyOf(one)}`),
    ...revived.map((one) => `payment void though it stands: ${keyOf(one)}`),
    ...lateness.map((one) => `payment late ${one.late}: ${keyOf(one)}`),
  ];
}

function isAt(view: View, txid: string): boolean {
  return (view.places.get(txid) ?? null) !== null;
}

/** Every output in the node's last view, and those that are nowhere but have no conflict. */
function expectedPayments({ money, view, blocks, scriptHex, terms }: Case): Standing[] {
  return money.flatMap((one) => {
    const place = view.places.get(one.id) ?? null;
    const isMined = place !== null && place !== 'mempool';
    const block = isMined ? blocks.find(({ height }) => height === place.height) : undefined;
    const depth = isMined ? view.tipHeight - place.height + 1 : 0;
    const status = depth >= terms.confirmationsRequired ? 'confirmed' : 'unconfirmed';
    return outputsOf(one, block, scriptHex, money).map(({ txid, vout, amount }) => ({
      key: [txid, vout, amount, status, depth, block?.height ?? null, block?.hash ?? null].join(' '),
      isOptional: place === null,
    }));
  });
}

function outputsOf(one: Money, block: RpcBlock | undefined, scriptHex: string, money: readonly Money[]) {
  if (!one.isPegOut) return one.outputs.map(({ vout, amount }) => ({ txid: one.id, vout, amount }));
  const others = (block?.transactions ?? []).filter(({ txid }) => !money.some(({ id }) => id === txid));
  return others.flatMap(({ txid, outputs }) =>
    outputs
      .filter((output) => output.scriptHex === scriptHex)
      .map(({ vout, amount }) => ({ txid, vout, amount })),
  );
}

function keyOf(payment: ShownPayment): string {
  const { txid, vout, amount, status, confirmations, block_height: height, block_hash: hash } = payment;
  return [txid, vout, amount, status, confirmations, height, hash].join(' ');
}
