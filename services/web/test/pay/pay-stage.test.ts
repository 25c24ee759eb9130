import { describe, expect, it } from 'vitest';
import { isPayable, isFinalStatus, payStage } from '../../src/pay/pay-stage.ts';
import { documentTitle, stageText } from '../../src/pay/stage-text.ts';
import { payDe } from '../../src/pay/texts/pay-de.ts';
import { payEn } from '../../src/pay/texts/pay-en.ts';
import { allInvoiceStates, invoice, NOW_MS, payment } from '../support/invoices.ts';

const stages = {
  new: 'waiting',
  'new-ltc': 'waiting',
  'new-any-amount': 'waiting',
  'new-delayed': 'waiting',
  'new-test-network': 'waiting',
  closing: 'closing',
  pending: 'seen',
  'pending-one-of-two': 'seen',
  'pending-short': 'partial',
  'pending-short-past': 'partial-closing',
  withdrawn: 'withdrawn',
  confirmed: 'paid',
  'confirmed-overpaid': 'paid',
  'confirmed-reversed': 'reversed',
  'confirmed-donation': 'paid',
  underpaid: 'underpaid',
  expired: 'expired',
  'expired-unseen': 'expired',
  late: 'late',
};

describe('what a payer is shown', () => {
  const states = allInvoiceStates();

  it('follows from the state of the invoice, and every state has its own', () => {
    const seen = Object.entries(states).map(([name, state]) => [name, payStage(state, NOW_MS)]);
    expect(Object.fromEntries(seen)).toEqual(stages);
  });

  it('asks for money only while money sent now would count', () => {
    for (const [name, state] of Object.entries(states)) {
      const stage = payStage(state, NOW_MS);
      expect(isPayable(stage), name).toBe(stage === 'waiting' || stage === 'partial');
    }
  });

  it('stops asking the moment the countdown ends, whatever the server has not said yet', () => {
    const unpaid = invoice();
    const endMs = Date.parse(unpaid.expires_at);
    expect(payStage(unpaid, endMs - 1)).toBe('waiting');
    expect(payStage(unpaid, endMs)).toBe('closing');
    const short = states['pending-short'] ?? unpaid;
    expect(payStage(short, Date.parse(short.expires_at))).toBe('partial-closing');
  });

  it('asks again once the merchant extended the time', () => {
    const ended = invoice({ expires_at: new Date(NOW_MS - 1000).toISOString() });
    expect(payStage(ended, NOW_MS)).toBe('closing');
    expect(payStage({ ...ended, expires_at: new Date(NOW_MS + 900_000).toISOString() }, NOW_MS)).toBe(
      'waiting',
    );
  });

  it('counts a donation as covered by any amount, also one below what was asked', () => {
    const donation = invoice({
      type: 'donation',
      status: 'pending',
      received_amount: '600',
      payment_uri: null,
    });
    expect(payStage(donation, NOW_MS)).toBe('seen');
  });

  it('counts an order as covered that a tolerance lets through a little short', () => {
    const short = {
      status: 'pending',
      received_amount: '123399',
      due_amount: '0',
      payment_uri: null,
    } as const;
    expect(payStage(invoice(short), NOW_MS)).toBe('seen');
    const mined = invoice({ ...short, confirmations: 1 });
    expect(payStage(mined, Date.parse(mined.expires_at))).toBe('seen');
  });

  it('calls exactly the outcomes final', () => {
    const statuses = ['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment'] as const;
    expect(statuses.map(isFinalStatus)).toEqual([false, false, true, true, true, true]);
  });
});

describe('the words of a state', () => {
  const states = allInvoiceStates();
  const say = (name: string, texts = payEn) => {
    const state = states[name] ?? invoice();
    const { title, detail } = stageText(texts, payStage(state, NOW_MS), state);
    return `${title} ${detail}`.trim().replaceAll('\u00a0', ' ');
  };

  it.each([
    ['new', 'Waiting for payment'],
    ['pending', 'Payment seen Waiting for confirmations. You can close this page.'],
    ['pending-short', 'Received 0.0005 BTC. Still to pay 0.000734 BTC.'],
    [
      'pending-short-past',
      'Time is up Part of the amount arrived and is being confirmed. Send nothing more.',
    ],
    ['confirmed', 'Paid'],
    ['underpaid', 'Time is up; part of the amount arrived Contact the shop and quote the number below.'],
    ['expired', 'Time is up Do not send to this address any more.'],
    ['late', 'A payment arrived after the time was up Contact the shop and quote the number below.'],
    ['confirmed-donation', 'Thank you! Your donation to \u2068Ada plays chess\u2069 has arrived.'],
  ])('of %s are plain', (name, words) => {
    expect(say(name)).toBe(words);
  });

  it('differ from each other in each language wherever a payer has to do something else', () => {
    for (const texts of [payEn, payDe]) {
      const said = new Set(Object.keys(states).map((name) => say(name, texts)));
      // A donation is thanked for, and one whose address nobody saw can be started again.
      expect(said.size).toBe(new Set(Object.values(stages)).size + 2);
    }
  });

  it('never blame a donor, who owes nothing', () => {
    const late = invoice({ type: 'donation', status: 'late_payment', payments: [payment({ late: true })] });
    expect(stageText(payEn, payStage(late, NOW_MS), late)).toMatchObject({ tone: 'done' });
  });

  it('lead the title of the tab, with a tick once it is paid', () => {
    const paid = states['confirmed'] ?? invoice();
    expect(documentTitle(payEn, 'paid', paid)).toBe('✓ Paid – Example Shop');
    expect(documentTitle(payEn, 'waiting', invoice({ project_name: null }))).toBe('Waiting for payment');
  });
});
