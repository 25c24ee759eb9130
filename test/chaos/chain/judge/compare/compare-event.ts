import { compareAmounts, sumOf } from './compare-amounts.ts';
import { compareTerms, type Sale } from './compare-terms.ts';
import type { Money, Terms, View } from '../decide-from-history.ts';
import { eventBodyShape, type EventBody, type ShownPayment } from '../../../lease/owner-view.ts';
import { isFullAmount } from '../../../spec/spec-terms.ts';
import type { RpcBlock } from '../../sources/rpc-block.ts';

/** A webhook as it arrived: the bytes, and when. */
export type ArrivedEvent = { rawBody: string; receivedAtMs: number };

/** What webhooks of one invoice are compared with. */
export type EventCase = {
  sale: Sale;
  terms: Terms;
  scriptHex: string;
  /** Transactions that pay the script but belong to another holder of the address or to no invoice. */
  foreign: ReadonlySet<string>;
  money: readonly Money[];
  views: readonly View[];
  /** Every block that was ever seen, on whatever branch. */
  knownBlocks: ReadonlyMap<string, RpcBlock>;
  arrived: readonly ArrivedEvent[];
};

/** Clocks of one machine, and nodes that count in whole seconds. */
const BLUR_MS = 2000;
const PEG_OUT_HEAD_START_MS = 1_800_000;

/** Every field of every webhook that differs from what the chain and the specification say. */
export function compareEvents(given: EventCase): string[] {
  const parsed = given.arrived.map(({ rawBody, receivedAtMs }) => {
    const { data, error } = eventBodyShape.safeParse(JSON.parse(rawBody));
    const problem = error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
    return { rawBody, receivedAtMs, body: data, problem };
  });
  const events = parsed.flatMap(({ body, receivedAtMs }) => (body ? [{ body, receivedAtMs }] : []));
  return [
    ...parsed.flatMap(({ problem }) => (problem === undefined ? [] : [`event of another form: ${problem}`])),
    ...compareRepeats(given.arrived),
    ...compareSequence(events.map(({ body }) => body)),
    ...events.flatMap(({ body, receivedAtMs }) =>
      compareEvent(given, body, receivedAtMs).map((difference) => `${body.type} ${body.id}: ${difference}`),
    ),
  ];
}

/** Every delivery of an event carries the same bytes. */
function compareRepeats(arrived: readonly ArrivedEvent[]): string[] {
  const bodies = new Map<unknown, string>();
  return arrived.flatMap(({ rawBody }) => {
    const { id } = JSON.parse(rawBody) as { id?: unknown };
    const first = bodies.get(id) ?? rawBody;
    bodies.set(id, first);
    return first === rawBody ? [] : [`event ${String(id)} was delivered with two bodies`];
  });
}

/** Versions grow from event to event, and each begins at the status where the one before ended. */
function compareSequence(bodies: readonly EventBody[]): string[] {
  const ordered = [...new Map(bodies.map((body) => [body.id, body])).values()].toSorted(
    (a, b) => a.data.invoice.version - b.data.invoice.version,
  );
  return ordered.flatMap((body, index) => {
    const before = ordered[index - 1];
    const { previous_status: previous, invoice } = body.data;
    const possible = before ? [before.data.invoice.status] : ['new', 'pending'];
    const moved = previous === 'confirmed' ? 'confirmed' : 'late_payment';
    const status = body.type === 'invoice.late_payment' ? moved : body.type.replace('invoice.', '');
    return [
      ...(possible.includes(previous)
        ? []
        : [`previous_status ${previous}, right is ${possible.join(' or ')}`]),
      ...(invoice.status === status
        ? []
        : [`${body.type} with status ${invoice.status}, right is ${status}`]),
      ...(before && before.data.invoice.version >= invoice.version
        ? [`version ${invoice.version} twice`]
        : []),
      ...(before && before.created_at > body.created_at
        ? [`created_at ${body.created_at} before the last one`]
        : []),
    ];
  });
}

function compareEvent(given: EventCase, body: EventBody, receivedAtMs: number): string[] {
  const { sale, terms } = given;
  const { invoice } = body.data;
  return [
    ...compareTerms(sale, invoice),
    // An outcome asks for nothing.
    ...compareAmounts(terms, invoice, false),
    ...compareTime(given, body, receivedAtMs),
    ...comparePlaces(given, invoice.payments),
    ...invoice.payments.flatMap((payment) => comparePayment(given, payment, receivedAtMs)),
    ...compareOutcome(terms, body),
    ...compareNamed(body),
    ...(invoice.reversed && !invoice.payments.some(({ status }) => status === 'void')
      ? ['reversed true, but no payment is void']
      : []),
  ];
}

function compareTime({ sale, terms }: EventCase, body: EventBody, receivedAtMs: number): string[] {
  const createdMs = Date.parse(body.created_at);
  const isEnd = body.type === 'invoice.expired' || body.type === 'invoice.underpaid';
  const earliestMs = isEnd ? terms.deadlineMs.earliest : Date.parse(sale.createdAt);
  const isRight = createdMs >= earliestMs && createdMs <= receivedAtMs + BLUR_MS;
  return isRight ? [] : [`created_at ${body.created_at} is too early, or after its arrival`];
}

/** The payments of one moment lie on one branch, at depths that one tip explains, and none that the branch holds is missing. */
function comparePlaces(
  { knownBlocks, scriptHex, foreign }: EventCase,
  payments: readonly ShownPayment[],
): string[] {
  const mined = payments.filter(({ confirmations }) => confirmations > 0);
  const heights = new Set(
    mined.map(({ block_height: height, confirmations }) => Number(height) + confirmations - 1),
  );
  if (heights.size > 1) return [`depths of several tips: ${[...heights].join()}`];
  const [tipHeight] = heights;
  if (tipHeight === undefined) return [];
  const tips = [...knownBlocks.values()].filter(({ height }) => height === tipHeight);
  const faults = tips.map((tip) =>
    faultsOnBranch(branchBelow(tip, knownBlocks), mined, payments, { scriptHex, foreign }),
  );
  if (faults.some((found) => found.length === 0)) return [];
  return faults[0] ?? [`no block at height ${tipHeight} was ever there`];
}

function branchBelow(tip: RpcBlock, knownBlocks: ReadonlyMap<string, RpcBlock>): RpcBlock[] {
  const branch: RpcBlock[] = [];
  for (let block: RpcBlock | undefined = tip; block; block = knownBlocks.get(block.prevHash))
    branch.push(block);
  return branch;
}

function faultsOnBranch(
  branch: readonly RpcBlock[],
  mined: readonly ShownPayment[],
  listed: readonly ShownPayment[],
  { scriptHex, foreign }: Pick<EventCase, 'scriptHex' | 'foreign'>,
): string[] {
  const held = branch.flatMap(({ hash, height, transactions }) =>
    transactions.flatMap(({ txid, outputs }) =>
      outputs
        .filter((output) => output.scriptHex === scriptHex)
        .map(({ vout, amount }) => ({
          txid,
          outpoint: `${txid}:${vout}`,
          place: [amount, height, hash].join(' '),
        })),
    ),
  );
  const outpoints = new Set(listed.map(({ txid, vout }) => `${txid}:${vout}`));
  // Payments of another holder of the address or of no invoice are not listed.
  const missing = held.filter(({ outpoint, txid }) => !outpoints.has(outpoint) && !foreign.has(txid));
  const wrong = mined.filter(
    ({ txid, vout, amount, block_height: height, block_hash: hash }) =>
      !held.some(
        ({ outpoint, place }) => outpoint === `${txid}:${vout}` && place === [amount, height, hash].join(' '),
      ),
  );
  return [
    ...missing.map(({ outpoint }) => `payment missing: ${outpoint}`),
    ...wrong.map(({ txid, vout }) => `payment not in that block: ${txid}:${vout}`),
  ];
}

/** What one payment says of itself. */
function comparePayment(given: EventCase, payment: ShownPayment, receivedAtMs: number): string[] {
  const { terms, money } = given;
  const { txid, vout, status, confirmations, late, block_hash: hash } = payment;
  const one = money.find(({ id }) => id === txid) ?? money.find(({ isPegOut }) => isPegOut);
  if (!one) return [`payment of nobody: ${txid}:${vout}`];
  const right = confirmations >= terms.confirmationsRequired ? 'confirmed' : 'unconfirmed';
  const seenMs = Date.parse(payment.first_seen_at);
  const earliestMs = earliestSeenMs(one, given);
  const isPlaced =
    (hash === null) === (payment.block_height === null) && (confirmations === 0 || hash !== null);
  const isLate = seenMs > terms.deadlineMs.latest;
  const isInTime = seenMs <= terms.deadlineMs.earliest;
  return [
    ...(status === 'void' || status === right ? [] : [`${txid}:${vout} ${status}, right is ${right}`]),
    ...(status === 'void' && !mayBeVoid(one, given)
      ? [`${txid}:${vout} void, but nothing conflicts with it`]
      : []),
    ...(isPlaced ? [] : [`${txid}:${vout} has depth, height and block that contradict each other`]),
    ...(seenMs >= earliestMs && seenMs <= receivedAtMs + BLUR_MS
      ? []
      : [`${txid}:${vout} first_seen_at ${payment.first_seen_at} is before it was sent, or after the event`]),
    ...((isLate && !late) || (isInTime && late)
      ? [`${txid}:${vout} late ${late}, first seen ${payment.first_seen_at}`]
      : []),
    ...(one.isPegOut || isOutputOf(one, payment) ? [] : [`${txid}:${vout} pays another amount`]),
  ];
}

function isOutputOf(one: Money, { vout, amount }: ShownPayment): boolean {
  return one.outputs.some((output) => output.vout === vout && String(output.amount) === amount);
}

/** A replacement may have inherited the earlier time; a node whose clock is behind shifts all times. */
function earliestSeenMs(one: Money, { money, views }: EventCase): number {
  const family = money.filter(
    (other) => other === one || other.claims.some((claim) => one.claims.includes(claim)),
  );
  const sentMs = Math.min(...family.map((other) => earliestByNode(other, views)));
  return sentMs - BLUR_MS - (one.isPegOut ? PEG_OUT_HEAD_START_MS : 0);
}

function earliestByNode({ id, sentMs }: Money, views: readonly View[]): number {
  const behind = views.map(({ behindMs }) => behindMs.get(id) ?? 0);
  const blocks = views.flatMap(({ places }) => {
    const place = places.get(id) ?? null;
    return place === null || place === 'mempool' ? [] : [place.timeMs];
  });
  return Math.min(sentMs - Math.max(0, ...behind), ...blocks);
}

function mayBeVoid(one: Money, { money, views }: EventCase): boolean {
  const hasSibling = money.some(
    (other) => other !== one && other.claims.some((claim) => one.claims.includes(claim)),
  );
  return hasSibling || views.some(({ conflicts }) => conflicts.has(one.id));
}

/** Whether the payments that the event shows make the outcome that it reports. */
function compareOutcome(terms: Terms, { type, data: { invoice } }: EventBody): string[] {
  const inTime = invoice.payments.filter(({ late, status }) => !late && status !== 'void');
  const confirmed = inTime.filter(({ status }) => status === 'confirmed');
  const isFull = isFullAmount(terms, sumOf(confirmed));
  const isComplete = inTime.length > 0 && inTime.length === confirmed.length;
  if (type === 'invoice.confirmed' && !isFull)
    return ['confirmed, but what is confirmed in time does not pay it'];
  if (type === 'invoice.expired' && inTime.length > 0) return ['expired, but a payment in time stands'];
  if (type === 'invoice.underpaid' && (!isComplete || isFull))
    return ['underpaid, but its payments in time are none, unconfirmed or enough'];
  return [];
}

/** A late payment names all outputs of one confirmed transaction, as the invoice lists them; no other event names any. */
function compareNamed({ type, data: { invoice, payments: named } }: EventBody): string[] {
  if (type !== 'invoice.late_payment') return named === undefined ? [] : ['payments named in another event'];
  const [first] = named ?? [];
  if (!first) return ['a late payment that names none'];
  const right = invoice.payments.filter(({ txid }) => txid === first.txid);
  const isSame = JSON.stringify(right) === JSON.stringify(named);
  return [
    ...(isSame ? [] : ['payments named are not those of one transaction of the invoice']),
    ...(right.every(({ status }) => status === 'confirmed') ? [] : ['a late payment that is not confirmed']),
  ];
}
