/**
 * The rules of decisions.md in a second, independent form: one observer that keeps everything in memory, reads in order and
 * decides every invoice again after each step. Only for tests.
 */

/** A transaction that may happen: what it spends, and what it pays to which invoice. */
export type ModelTransaction = { txid: string; coins: string[]; pays: { invoice: number; amount: bigint }[] };

export type ModelTerms = { type: 'order' | 'donation'; asked: bigint; confirmations: number };

type Known = { tx: ModelTransaction; firstSeen: number; isVoid: boolean; inherited: Map<number, number> };

export type ModelInvoice = ModelTerms & {
  status: string;
  isReversed: boolean;
  /** When its time to pay was over; null while it is not. */
  ended: number | null;
  counted: Set<string>;
  events: string[];
};

export type ModelPayment = {
  tx: ModelTransaction;
  vout: number;
  amount: bigint;
  firstSeen: number;
  height: number | null;
  isVoid: boolean;
};

export class ReplayModel {
  readonly invoices: ModelInvoice[];
  #known = new Map<string, Known>();
  /** The best chain as the observer last saw it: block hash, height and what it holds. */
  #view: { hash: string; height: number; txs: ModelTransaction[]; time: number }[] = [];
  #tip = 0;
  /** Until when everything that the node knew has been read. */
  #readUntil = -1;

  constructor(terms: readonly ModelTerms[]) {
    this.invoices = terms.map((each) => ({
      ...each,
      status: 'new',
      isReversed: false,
      ended: null,
      counted: new Set(),
      events: [],
    }));
  }

  end(invoice: number, at: number): void {
    const { status } = this.#invoice(invoice);
    if (status === 'new' || status === 'pending') this.#invoice(invoice).ended ??= at;
  }

  seeChain(blocks: { hash: string; height: number; txs: ModelTransaction[]; time: number }[]): void {
    const before = new Set(this.#view.map((block) => block.hash));
    this.#view = blocks;
    this.#tip = blocks.at(-1)?.height ?? this.#tip;
    for (const block of blocks) {
      if (before.has(block.hash)) continue;
      for (const tx of block.txs) this.#see(tx, this.#known.has(tx.txid) ? null : block.time);
    }
    this.#judge();
  }

  seeMempool(held: readonly { tx: ModelTransaction; entered: number }[]): void {
    for (const { tx, entered } of held) this.#see(tx, entered);
    this.#judge();
  }

  /** Everything that the node knew at this time has been seen. */
  readAll(until: number): void {
    this.#readUntil = until;
    this.#judge();
  }

  paymentsOf(invoice: number): ModelPayment[] {
    return [...this.#known.values()].flatMap((known) =>
      known.tx.pays.flatMap((paid, vout) => {
        if (paid.invoice !== invoice) return [];
        const height = this.#heightOf(known.tx);
        const firstSeen = known.inherited.get(invoice) ?? known.firstSeen;
        const isVoid = known.isVoid && height === null;
        return [{ tx: known.tx, vout, amount: paid.amount, firstSeen, height, isVoid }];
      }),
    );
  }

  #see(tx: ModelTransaction, time: number | null): void {
    const known = this.#known.get(tx.txid) ?? {
      tx,
      firstSeen: Infinity,
      isVoid: false,
      inherited: new Map(),
    };
    this.#known.set(tx.txid, known);
    if (time !== null) known.firstSeen = Math.min(known.firstSeen, time);
    const rivals = this.#rivalsOf(tx);
    known.isVoid = rivals.some((rival) => this.#heightOf(rival.tx) !== null);
    for (const rival of rivals) if (this.#heightOf(rival.tx) === null) rival.isVoid = true;
    for (const invoice of new Set(tx.pays.map((paid) => paid.invoice))) {
      const times = rivals
        .filter((rival) => paidTo(rival.tx, invoice) > 0n && paidTo(rival.tx, invoice) >= paidTo(tx, invoice))
        .map((rival) => rival.inherited.get(invoice) ?? rival.firstSeen);
      const own = known.inherited.get(invoice) ?? known.firstSeen;
      known.inherited.set(invoice, Math.min(own, known.firstSeen, ...times));
    }
  }

  #judge(): void {
    for (const [index, invoice] of this.invoices.entries()) {
      const payments = this.paymentsOf(index);
      while (this.#step(invoice, payments));
      invoice.isReversed = this.#isReversed(invoice, payments);
    }
  }

  /** Applies one row of the table; false when none applies. */
  #step(invoice: ModelInvoice, payments: readonly ModelPayment[]): boolean {
    const { status, ended } = invoice;
    const confirmed = payments.filter((p) => this.#isConfirmed(p, invoice));
    if (status !== 'new' && status !== 'pending') return this.#stepLate(invoice, confirmed);
    const inTime = payments.filter((p) => ended === null || p.firstSeen <= ended);
    const standing = inTime.filter((p) => !p.isVoid);
    const good = standing.filter((p) => confirmed.includes(p));
    const asked = invoice.type === 'donation' ? 1n : invoice.asked;
    if (sum(good) >= asked) return this.#settle(invoice, 'confirmed', good);
    if (ended !== null && ended < this.#readUntil) {
      if (inTime.every((p) => p.isVoid && this.#isLost(p.tx))) return this.#settle(invoice, 'expired', []);
      if (standing.length > 0 && good.length === standing.length)
        return this.#settle(invoice, 'underpaid', good);
    }
    const waits = standing.length > 0 || (ended !== null && inTime.length > 0);
    invoice.status = waits ? 'pending' : 'new';
    return false;
  }

  #settle(invoice: ModelInvoice, status: string, good: readonly ModelPayment[]): boolean {
    invoice.status = status;
    invoice.events.push(`invoice.${status}`);
    for (const p of good) invoice.counted.add(p.tx.txid);
    return true;
  }

  #stepLate(invoice: ModelInvoice, confirmed: readonly ModelPayment[]): boolean {
    const further = confirmed
      .filter((p) => !invoice.counted.has(p.tx.txid))
      .toSorted((a, b) => (a.height ?? 0) - (b.height ?? 0) || (a.tx.txid < b.tx.txid ? -1 : 1))
      .find((p) => invoice.status === 'expired' || invoice.status === 'underpaid' || this.#isNew(invoice, p));
    if (!further) return false;
    invoice.counted.add(further.tx.txid);
    invoice.events.push(`invoice.late_payment ${further.tx.txid}`);
    if (invoice.status !== 'confirmed') invoice.status = 'late_payment';
    return true;
  }

  #isNew(invoice: ModelInvoice, payment: ModelPayment): boolean {
    return !this.#rivalsOf(payment.tx).some((rival) => invoice.counted.has(rival.tx.txid));
  }

  #isReversed(invoice: ModelInvoice, payments: readonly ModelPayment[]): boolean {
    const index = this.invoices.indexOf(invoice);
    const txs = new Set(payments.map((p) => p.tx));
    const gone = [...txs].filter((tx) => invoice.counted.has(tx.txid) && this.#known.get(tx.txid)?.isVoid);
    const lost = gone.filter((tx) => this.#heightOf(tx) === null && this.#isLost(tx));
    const present = [...txs].filter((tx) =>
      payments.some((p) => p.tx === tx && this.#isConfirmed(p, invoice)),
    );
    return lost.some((tx) => {
      const instead = present.filter((other) => conflict(tx, other));
      return !instead.some((other) => {
        const displaced = lost.filter((each) => conflict(each, other));
        return paidTo(other, index) >= displaced.reduce((total, each) => total + paidTo(each, index), 0n);
      });
    });
  }

  /** A conflict of it is in a block. */
  #isLost(tx: ModelTransaction): boolean {
    return this.#rivalsOf(tx).some((rival) => this.#heightOf(rival.tx) !== null);
  }

  #isConfirmed(payment: ModelPayment, { confirmations }: ModelTerms): boolean {
    return payment.height !== null && this.#tip - payment.height + 1 >= confirmations;
  }

  #rivalsOf(tx: ModelTransaction): Known[] {
    return [...this.#known.values()].filter((known) => known.tx !== tx && conflict(known.tx, tx));
  }

  #heightOf(tx: ModelTransaction): number | null {
    return this.#view.find((block) => block.txs.includes(tx))?.height ?? null;
  }

  #invoice(index: number): ModelInvoice {
    const invoice = this.invoices[index];
    if (!invoice) throw new RangeError(`no invoice ${index}`);
    return invoice;
  }
}

function conflict(a: ModelTransaction, b: ModelTransaction): boolean {
  return a !== b && a.coins.some((coin) => b.coins.includes(coin));
}

function paidTo(tx: ModelTransaction, invoice: number): bigint {
  return sum(tx.pays.filter((paid) => paid.invoice === invoice));
}

function sum(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce((total, { amount }) => total + amount, 0n);
}
