import type { ToldBlock } from './told-block.ts';
import type { Answer, Money, Terms, View } from './decide-from-history.ts';

/** An invoice as its owner's view shows it, as far as it is compared. Amounts are decimal strings. */
export type Shown = {
  status: string;
  reversed: boolean;
  received_amount: string;
  confirmed_amount: string;
  overpaid_amount: string;
  due_amount: string | null;
  confirmations: number;
  payments: readonly ShownPayment[];
};
type ShownPayment = {
  txid: string;
  vout: number;
  amount: string;
  status: string;
  late: boolean;
  confirmations: number;
  block_hash: string | null;
};

/** An event that reached the merchant; `txids` are those that a late payment names. */
export type Heard = { eventId: string; type: string; txids: readonly string[] };

/** What is held against what: the checker's answers and the node's last view, and what Paywatch shows and has told. */
export type Case = {
  terms: Terms;
  scriptHex: string;
  money: readonly Money[];
  answers: readonly Answer[];
  view: View;
  /** The blocks of the best chain. */
  blocks: readonly ToldBlock[];
  shown: Shown;
  heard: readonly Heard[];
};

/** Everything in which Paywatch differs from what is right; empty where it does not. */
export function compareInvoice(given: Case): string[] {
  const { shown, answers } = given;
  const told = toldEvents(given);
  const right = answers.filter(
    (answer) =>
      answer.status === shown.status &&
      answer.isReversed === shown.reversed &&
      answer.events.join() === told.toSorted().join(),
  );
  const verdict = { status: shown.status, isReversed: shown.reversed, events: told };
  const verdicts =
    right.length > 0 ? [] : [`${JSON.stringify(verdict)}, right is ${JSON.stringify(answers)}`];
  return [...verdicts, ...repeatedEvents(given), ...comparePayments(given, right), ...compareAmounts(given)];
}

/** What was told, in the words of the answers: a late peg-out is named by its HogEx. */
function toldEvents({ heard, money }: Case): string[] {
  const pegOut = money.find(({ isPegOut }) => isPegOut)?.id;
  const nameOf = (txid: string): string => (money.some(({ id }) => id === txid) ? txid : (pegOut ?? txid));
  const names = heard.map(({ type, txids }) =>
    type === 'invoice.late_payment' ? `${type} ${txids.map(nameOf).join()}` : type,
  );
  return [...new Set(names)];
}

/** One event has one id, however often it is delivered. */
function repeatedEvents(given: Case): string[] {
  const ids = new Set(given.heard.map(({ eventId }) => eventId));
  const count = toldEvents(given).length;
  return ids.size === count ? [] : [`${ids.size} event ids for ${count} events`];
}

type Standing = { key: string; id: string; isOptional: boolean };

function comparePayments(given: Case, right: readonly Answer[]): string[] {
  const { shown, money, view } = given;
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

/** Every output that stands in the node's last view, and those that are nowhere and whose inputs nobody else has. */
function expectedPayments({ money, view, blocks, scriptHex, terms }: Case): Standing[] {
  return money.flatMap((one) => {
    const place = view.places.get(one.id) ?? null;
    const isMined = place !== null && place !== 'mempool';
    const block = isMined ? blocks.find(({ height }) => height === place.height) : undefined;
    const depth = isMined ? view.tipHeight - place.height + 1 : 0;
    const status = depth >= terms.confirmationsRequired ? 'confirmed' : 'unconfirmed';
    return outputsOf(one, block, scriptHex, money).map(({ txid, vout, amount }) => ({
      key: [txid, vout, amount, status, depth, block?.hash ?? null].join(' '),
      id: one.id,
      isOptional: place === null,
    }));
  });
}

function outputsOf(one: Money, block: ToldBlock | undefined, scriptHex: string, money: readonly Money[]) {
  if (!one.isPegOut) return one.outputs.map(({ vout, amount }) => ({ txid: one.id, vout, amount }));
  const others = (block?.transactions ?? []).filter(({ txid }) => !money.some(({ id }) => id === txid));
  return others.flatMap(({ txid, outputs }) =>
    outputs
      .filter((output) => output.scriptHex === scriptHex)
      .map(({ vout, amount }) => ({ txid, vout, amount })),
  );
}

function keyOf({ txid, vout, amount, status, confirmations, block_hash: hash }: ShownPayment): string {
  return [txid, vout, amount, status, confirmations, hash].join(' ');
}

/** Sums over the payments that are shown, which were compared one by one. */
function compareAmounts({ terms, shown, view, money }: Case): string[] {
  const standing = shown.payments.filter(({ status }) => status !== 'void');
  const confirmed = sumOf(standing.filter(({ status }) => status === 'confirmed'));
  const isOver = view.toMs > terms.deadlineMs.latest;
  const hasMoney = money.length > 0;
  const expected = {
    received_amount: String(sumOf(standing)),
    confirmed_amount: String(confirmed),
    overpaid_amount: String(terms.asked > 0n && confirmed > terms.asked ? confirmed - terms.asked : 0n),
    confirmations: coveredDepth(terms, standing),
    ...(isOver || !hasMoney ? { due_amount: terms.asked > 0n && isOver ? '0' : shown.due_amount } : {}),
  };
  return Object.entries(expected).flatMap(([name, value]) => {
    const given = shown[name as keyof typeof expected];
    return given === value ? [] : [`${name} ${String(given)}, right is ${String(value)}`];
  });
}

/** How deep the shallowest payment is that is needed, the deepest taken first. */
function coveredDepth({ type, asked }: Terms, standing: readonly ShownPayment[]): number {
  let covered = 0n;
  const inTime = standing.filter(({ late }) => !late);
  for (const { amount, confirmations } of inTime.toSorted((a, b) => b.confirmations - a.confirmations)) {
    covered += BigInt(amount);
    if (type === 'donation' || covered >= asked) return confirmations;
  }
  return 0;
}

function sumOf(payments: readonly { amount: string }[]): bigint {
  return payments.reduce((total, { amount }) => total + BigInt(amount), 0n);
}
