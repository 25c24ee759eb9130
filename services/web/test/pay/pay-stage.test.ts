import { describe, expect, it } from 'vitest';
import { isPayable, isFinalStatus, payStage } from '../../src/pay/pay-stage.ts';
import { documentTitle, stageText } from '../../src/pay/stage-text.ts';
import { payDe } from '../../src/pay/texts/pay-de.ts';
import { payEn } from '../../src/pay/texts/pay-en.ts';
import { allInvoiceStates, invoice, NOW_MS, payment } from '../support/invoices.ts';

const stages = {
  new: 'waiting',
  'new-ltc': 'waiting',
  'new-priced': 'waiting',
  'new-branded': 'waiting',
  'expired-branded': 'expired',
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

describe('the payment stage', () => {
  const states = allInvoiceStates();

  it('is derived from the invoice', () => {
    const seen = Object.entries(states).map(([name, state]) => [name, payStage(state, NOW_MS)]);
    expect(Object.fromEntries(seen)).toEqual(stages);
  });

  it('is payable only while a payment sent now would count', () => {
    for (const [name, state] of Object.entries(states)) {
      const stage = payStage(state, NOW_MS);
      expect(isPayable(stage), name).toBe(stage === 'waiting' || stage === 'partial');
    }
  });

  it('stops being payable when the countdown ends, before the server reports an outcome', () => {
    const unpaid = invoice();
    const endMs = Date.parse(unpaid.expires_at);
    expect(payStage(unpaid, endMs - 1)).toBe('waiting');
    expect(payStage(unpaid, endMs)).toBe('closing');
    const short = states['pending-short'] ?? unpaid;
    expect(payStage(short, Date.parse(short.expires_at))).toBe('partial-closing');
  });

  it('is payable again after the merchant extended the invoice', () => {
    const ended = invoice({ expires_at: new Date(NOW_MS - 1000).toISOString() });
    expect(payStage(ended, NOW_MS)).toBe('closing');
    expect(payStage({ ...ended, expires_at: new Date(NOW_MS + 900_000).toISOString() }, NOW_MS)).toBe(
      'waiting',
    );
  });

  it('treats a donation as paid by any amount, even below the requested one', () => {
    const donation = invoice({
      type: 'donation',
      status: 'pending',
      received_amount: '600',
      payment_uri: null,
    });
    expect(payStage(donation, NOW_MS)).toBe('seen');
  });

  it('treats an order as paid if a tolerance covers the missing amount', () => {
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

  it('is final for outcomes only', () => {
    const statuses = ['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment'] as const;
    expect(statuses.map(isFinalStatus)).toEqual([false, false, true, true, true, true]);
  });
});

describe('the text of a stage', () => {
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
  ])('for %s is plain', (name, words) => {
    expect(say(name)).toBe(words);
  });

  it('is different for every stage in each language', () => {
    for (const texts of [payEn, payDe]) {
      const said = new Set(Object.keys(states).map((name) => say(name, texts)));
      // Paid and never-opened donations have texts of their own.
      expect(said.size).toBe(new Set(Object.values(stages)).size + 2);
    }
  });

  it('does not treat a late donation as an error', () => {
    const late = invoice({ type: 'donation', status: 'late_payment', payments: [payment({ late: true })] });
    expect(stageText(payEn, payStage(late, NOW_MS), late)).toMatchObject({ tone: 'done' });
  });

  it('starts the document title, with a tick once paid', () => {
    const paid = states['confirmed'] ?? invoice();
    expect(documentTitle(payEn, 'paid', paid)).toBe('✓ Paid – Example Shop');
    expect(documentTitle(payEn, 'waiting', invoice({ project_name: null }))).toBe('Waiting for payment');
  });
});
