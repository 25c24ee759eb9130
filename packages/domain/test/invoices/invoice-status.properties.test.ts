import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideInvoiceStatus, isOpen, isPaidInFull } from '../../src/invoices/invoice-status.ts';
import type { Decision, InvoiceFacts, InvoiceStatus, StatusStep } from '../../src/invoices/invoice-status.ts';
import { isDiscarded, isConfirmed, isInTime, outpointOf, totalOf } from '../../src/invoices/payment-facts.ts';
import type { PaymentFacts } from '../../src/invoices/payment-facts.ts';
import {
  ChainModel,
  happeningsArbitrary,
  MODEL_DEADLINE_MS,
  settledHappeningsArbitrary,
  transactionsArbitrary,
} from '../chain/chain-model.ts';
import type { Happening, ModelTransaction } from '../chain/chain-model.ts';

type Terms = Omit<InvoiceFacts, 'status'>;

const termsArbitrary: fc.Arbitrary<Terms> = fc.record({
  type: fc.constantFrom('order', 'order', 'donation'),
  expectedAmount: fc.constant(1000n),
  confirmationsRequired: fc.integer({ min: 1, max: 3 }),
  deadlineMs: fc.constant(MODEL_DEADLINE_MS),
  toleranceBps: fc.constantFrom(0, 100),
});

type Observation = {
  step: StatusStep;
  payments: PaymentFacts[];
  nowMs: number;
  tipHeight: number;
  isFresh: boolean;
};

/** Keeps an invoice as the store would: it decides on what it sees and remembers status and counted outpoints. */
class Observer {
  status: InvoiceStatus = 'new';
  readonly counted: string[] = [];
  readonly seen: Observation[] = [];
  readonly terms: Terms;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  observe(model: ChainModel, isFresh = true): Decision {
    const { nowMs, tipHeight } = model;
    const payments = model.payments((outpoint) => this.counted.includes(outpoint));
    const decision = decideInvoiceStatus(this.invoice, payments, { tipHeight, isFresh }, nowMs);
    this.status = decision.status;
    for (const step of decision.steps) {
      this.counted.push(...step.counted);
      this.seen.push({ step, payments, nowMs, tipHeight, isFresh });
    }
    return decision;
  }

  get invoice(): InvoiceFacts {
    return { ...this.terms, status: this.status };
  }
}

/** A history, with what an observer does after each happening: look or not, with a fresh view or a stale one. */
const storyArbitrary = fc.record({
  terms: termsArbitrary,
  transactions: transactionsArbitrary,
  happenings: happeningsArbitrary,
  looks: fc.array(fc.constantFrom('no', 'fresh', 'fresh', 'stale', 'twice'), {
    minLength: 25,
    maxLength: 25,
  }),
});
type Story = { terms: Terms; transactions: ModelTransaction[]; happenings: Happening[]; looks: string[] };

function observeStory(
  story: Story,
  after: (model: ChainModel, observer: Observer) => void = () => {},
): Observer {
  const model = new ChainModel(story.transactions);
  const observer = new Observer(story.terms);
  for (const [i, happening] of story.happenings.entries()) {
    model.apply(happening);
    const look = story.looks[i];
    if (look !== 'no') observer.observe(model, look !== 'stale');
    if (look === 'twice') observer.observe(model);
    after(model, observer);
  }
  return observer;
}

const runs = { numRuns: 2000 };

describe('for any chain history and any times of decision', () => {
  test('deciding again with the counted payments marked changes nothing', () => {
    everyMoment((model, observer) => {
      const { status } = observer.observe(model);
      expect(observer.observe(model)).toMatchObject({ status, steps: [] });
    });
  });

  test('each outcome is reported once, each late transaction once, each payment counted once', () => {
    fc.assert(
      fc.property(storyArbitrary, (story) => {
        const observer = observeStory(story);
        const events = observer.seen
          .filter(({ step }) => step.event !== null)
          .map(({ step }) => `${step.event} ${step.txid}`);
        expect(new Set(events).size).toBe(events.length);
        expect(new Set(observer.counted).size).toBe(observer.counted.length);
        expect(observer.seen.filter(({ step }) => isOpen(step.from) && !isOpen(step.to)).length).toBeLessThan(
          2,
        );
      }),
      runs,
    );
  });

  test('steps chain, and an outcome changes only from expired or underpaid, into late_payment', () => {
    fc.assert(
      fc.property(storyArbitrary, (story) => {
        const { seen, status } = observeStory(story);
        let reached: InvoiceStatus = 'new';
        for (const { step } of seen) {
          expect(step.from).toBe(reached);
          const isAllowed = isOpen(step.from) || step.to === step.from || step.to === 'late_payment';
          expect(isAllowed && !(step.from === 'confirmed' && step.to === 'late_payment')).toBe(true);
          reached = step.to;
        }
        expect(status).toBe(reached);
      }),
      runs,
    );
  });

  test('the order of the payments does not matter', () => {
    everyMoment((model, { invoice, counted }) => {
      const payments = model.payments((outpoint) => counted.includes(outpoint));
      const chain = { tipHeight: model.tipHeight, isFresh: true };
      const decide = (list: PaymentFacts[]) =>
        withoutCountOrder(decideInvoiceStatus(invoice, list, chain, model.nowMs));
      expect(decide(payments.toReversed())).toEqual(decide(payments));
    });
  });

  test('the status of an open invoice follows from the facts alone, not from intermediate states', () => {
    everyMoment((model, observer) => {
      const { status } = observer.observe(model);
      const fromFacts = isOpen(status) ? new Observer(observer.terms).observe(model).status : status;
      expect(fromFacts).toBe(status);
    });
  });
});

describe('an outcome is only reported if its conditions hold', () => {
  test('confirmed: the counted payments were in time, deep enough, and pay in full', () => {
    everyStep('invoice.confirmed', ({ step, payments, tipHeight }, terms) => {
      const counted = payments.filter((payment) => step.counted.includes(outpointOf(payment)));
      expect(counted.every((payment) => isInTime(payment, terms.deadlineMs))).toBe(true);
      expect(counted.every((p) => isConfirmed(p, tipHeight, terms.confirmationsRequired))).toBe(true);
      expect(isPaidInFull(terms, totalOf(counted))).toBe(true);
    });
  });

  test('expired: fresh view, past the deadline, and no payment in time counts or may return', () => {
    everyStep('invoice.expired', ({ payments, nowMs, isFresh }, terms) => {
      expect(isFresh && nowMs > terms.deadlineMs).toBe(true);
      const inTime = payments.filter((payment) => isInTime(payment, terms.deadlineMs));
      expect(inTime.every((payment) => isDiscarded(payment) && payment.conflictsSettled)).toBe(true);
    });
  });

  test('underpaid: fresh view, past the deadline, and all valid payments in time are confirmed, counted and too little', () => {
    everyStep('invoice.underpaid', ({ step, payments, nowMs, isFresh }, terms) => {
      expect(isFresh && nowMs > terms.deadlineMs).toBe(true);
      const standing = payments.filter((p) => isInTime(p, terms.deadlineMs) && !isDiscarded(p));
      expect(standing.map(outpointOf)).toEqual(step.counted);
      expect(isPaidInFull(terms, totalOf(standing))).toBe(false);
    });
  });

  test('late_payment: the transaction is deep enough and replaces no reported payment', () => {
    everyStep('invoice.late_payment', ({ step, payments, tipHeight }, terms) => {
      const mine = payments.filter((payment) => payment.txid === step.txid);
      expect(mine.length).toBeGreaterThan(0);
      expect(mine.every((p) => isConfirmed(p, tipHeight, terms.confirmationsRequired))).toBe(true);
      if (step.from !== 'confirmed' && step.from !== 'late_payment') return;
      const counted = payments.filter((payment) => payment.isCounted).flatMap((payment) => payment.spends);
      expect(mine.flatMap((payment) => payment.spends).some((input) => counted.includes(input))).toBe(false);
    });
  });
});

describe('without reorganisations and without returning payments', () => {
  test('deciding at every moment and deciding once at the end give the same result', () => {
    fc.assert(
      fc.property(storyArbitrary, settledHappeningsArbitrary, (story, happenings) => {
        const model = new ChainModel(story.transactions);
        const always = new Observer(story.terms);
        for (const happening of happenings) {
          model.apply(happening);
          always.observe(model);
        }
        fc.pre(!model.hasReturned);
        expect(new Observer(story.terms).observe(model).status).toBe(always.status);
      }),
      runs,
    );
  });

  test('nothing is reversed', () => {
    fc.assert(
      fc.property(storyArbitrary, settledHappeningsArbitrary, (story, happenings) => {
        observeStory({ ...story, happenings }, (model, observer) => {
          expect(observer.observe(model).isReversed).toBe(false);
        });
      }),
      runs,
    );
  });
});

/** Checks at every moment of every story. */
function everyMoment(check: (model: ChainModel, observer: Observer) => void): void {
  fc.assert(
    fc.property(storyArbitrary, (story) => void observeStory(story, check)),
    runs,
  );
}

/** Checks every step with this event that any story takes, and that the stories take enough of them. */
function everyStep(event: string, check: (observation: Observation, terms: Terms) => void): void {
  let checked = 0;
  fc.assert(
    fc.property(storyArbitrary, (story) => {
      for (const observation of observeStory(story).seen) {
        if (observation.step.event !== event) continue;
        check(observation, story.terms);
        checked += 1;
      }
    }),
    runs,
  );
  expect(checked, 'steps that the stories reached').toBeGreaterThan(50);
}

function withoutCountOrder(decision: Decision): Decision {
  return {
    ...decision,
    steps: decision.steps.map((step) => ({ ...step, counted: step.counted.toSorted() })),
  };
}
