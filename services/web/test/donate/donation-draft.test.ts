import { describe, expect, it } from 'vitest';
import {
  askedUnits,
  donationRequest,
  draftUnits,
  emptyDraft,
  offeredDraft,
  remainingErrors,
  validateDraft,
} from '../../src/donate/form/donation-draft.ts';
import { failureMessage, rejectedFields } from '../../src/donate/form/donation-failure.ts';
import { readDonationForm } from '../../src/server/read-donation-form.ts';
import { donateEn } from '../../src/donate/texts/donate-en.ts';
import { donationLink } from '../support/apis/donor-api.ts';

const link = donationLink();
const draft = emptyDraft(link);

describe('a typed amount', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['0.001', 100_000n],
    ['0,001', 100_000n],
    ['.5', 50_000_000n],
    ['2.', 200_000_000n],
    [' 0.00000546 ', 546n],
    ['0.000000001', undefined],
    ['1,000.5', undefined],
    ['1e-3', undefined],
    ['-1', undefined],
    ['0x10', undefined],
    ['21000001', undefined],
  ])('"%s" is parsed to %s minimal units without floating point', (typed, units) => {
    expect(draftUnits(typed, 'BTC')).toBe(units);
  });
});

const inEuros = (amount: string) => ({ ...draft, amount, unit: 'EUR' });

describe('an amount in a currency', () => {
  const prices = { currency: 'EUR', rates: { BTC: '50000', LTC: null } };
  const priced = { ...link, prices };

  it.each([
    ['', null],
    ['5', 10_000n],
    ['4,99', 9_980n],
    ['.5', 1_000n],
    ['0.001', undefined],
    ['0', undefined],
    ['1,000.5', undefined],
    ['-1', undefined],
  ])('"%s" EUR is about %s minimal units at the rate of the page', (amount, units) => {
    expect(askedUnits(inEuros(amount), 'BTC', priced)).toBe(units);
  });

  it('is sent as a price, which the API converts', () => {
    expect(donationRequest(inEuros('4,99'), 'BTC')).toEqual({
      currency: 'BTC',
      price: { amount: '4.99', currency: 'EUR' },
    });
    expect(donationRequest(inEuros(' '), 'BTC')).toEqual({ currency: 'BTC' });
  });

  it('is checked as far as the page can', () => {
    const errors = (amount: string) => validateDraft(inEuros(amount), 'BTC', priced, donateEn);
    expect(errors('5')).toEqual({});
    expect(errors('many')).toEqual({ amount: 'Enter an amount such as 5 or 4.99.' });
    expect(errors('0.01')).toEqual({
      amount: 'Enter at least 0.00000546 BTC. The network does not relay smaller amounts.',
    });
    expect(validateDraft(inEuros('0.01'), 'LTC', priced, donateEn)).toEqual({});
  });

  it('is removed where the link does not offer it, so that it is never read as coins', () => {
    const emptied = { ...draft, amount: '', unit: '' };
    expect(offeredDraft(inEuros('5'), 'BTC', priced)).toEqual(inEuros('5'));
    expect(offeredDraft(inEuros('5'), 'LTC', priced)).toEqual(emptied);
    expect(offeredDraft(inEuros('5'), 'BTC', link)).toEqual(emptied);
    for (const unit of ['USD', 'xx', 'EURO'])
      expect(offeredDraft({ ...inEuros('5'), unit }, 'BTC', priced)).toEqual(emptied);
    const inCoins = { ...draft, amount: '5' };
    expect(offeredDraft(inCoins, 'LTC', priced)).toEqual(inCoins);
  });
});

describe('a draft', () => {
  it('becomes an API request without its empty fields', () => {
    expect(donationRequest(draft, 'LTC')).toEqual({ currency: 'LTC' });
    const full = { ...draft, amount: '0,5', donor_name: 'Grace', donor_message: 'Hi' };
    expect(donationRequest(full, 'LTC')).toEqual({
      currency: 'LTC',
      amount: '50000000',
      donor_name: 'Grace',
      donor_message: 'Hi',
    });
  });

  it.each([
    ['nonsense', donateEn.errors.malformed],
    ['0.00000545', 'Enter at least 0.00000546 BTC. The network does not relay smaller amounts.'],
  ])('with the amount %s has an error message', (amount, error) => {
    expect(validateDraft({ ...draft, amount }, 'BTC', link, donateEn)).toEqual({ amount: error });
  });

  it('counts characters like the API: 50 emoji are a valid name, 51 are not', () => {
    expect(named('🦊'.repeat(50))).toEqual({});
    expect(named('🦊'.repeat(51))).toEqual({ donor_name: 'Use at most 50 characters.' });
  });

  it.each([
    ['a Hangul filler', '\u3164'],
    ['an empty Braille pattern', '\u2800'],
    ['tag characters', '\u{E0041}\u{E0042}'],
    ['direction marks', '\u200E\u061C'],
    ['combining marks without a base', '\u0301'.repeat(3)],
  ])('with a name of %s only is invalid, and its request has no name', (_, hidden) => {
    expect(named(hidden)).toEqual({ donor_name: donateEn.errors.invisible });
    expect(donationRequest({ ...draft, donor_name: hidden }, 'BTC')).toEqual({ currency: 'BTC' });
  });

  it('that is corrected loses its error, and gets no new one while the donor types', () => {
    const shown = { amount: 'Too small.', donor_name: 'Too long.' };
    const found = { amount: 'Not a number.', donor_message: 'Too long.' };
    expect(remainingErrors(shown, {}, { amount: '1' })).toEqual({ donor_name: 'Too long.' });
    expect(remainingErrors(shown, found, { amount: 'x' })).toEqual({ ...shown, amount: 'Not a number.' });
    expect(remainingErrors({}, found, { donor_message: 'x' })).toEqual({});
  });

  it('is measured as displayed: without invisible characters, and with at most three marks per letter', () => {
    expect(named(`${'a'.repeat(50)}${'\u200E'.repeat(20)}`)).toEqual({});
    expect(named(`e${'\u0323'.repeat(198)}`)).toEqual({});
    expect(named(' ')).toEqual({});
  });
});

describe('a form submitted without JavaScript', () => {
  it('yields the same request, and the draft keeps the input', () => {
    const { draft: typed, request } = readDonationForm({
      currency: 'BTC',
      amount: '0,001',
      donor_name: 'G',
      more: 'x',
    });
    expect(typed).toEqual({ currency: 'BTC', amount: '0,001', unit: '', donor_name: 'G', donor_message: '' });
    expect(request).toEqual({ currency: 'BTC', amount: '100000', donor_name: 'G' });
  });

  it('passes an invalid currency, amount or text on for the API to reject', () => {
    expect(readDonationForm({ currency: 'DOGE' }).request).toEqual({ currency: 'DOGE' });
    expect(readDonationForm({ currency: 'BTC', amount: 'lots' }).request).toMatchObject({ amount: 'lots' });
    expect(readDonationForm({ currency: ['BTC'], amount: { a: 1 } }).draft).toMatchObject({
      currency: '',
      amount: '',
    });
  });
});

describe('the failure message', () => {
  it('contains the time of the next try', () => {
    expect(failure('rate_limited', 600)).toContain('10 minutes');
    expect(failure('address_pool_busy', 45)).toContain('45 seconds');
    expect(failure('address_pool_busy', null)).toContain('60 seconds');
  });

  it('says that nothing was sent when there was no response', () => {
    expect(failureMessage(null, donateEn)).toContain('Nothing was sent');
    expect(failure('internal_error', null)).toContain('Nothing was sent');
  });

  it('marks the fields that the API rejected, in the language of the page', () => {
    const errors = [
      { path: 'body.amount', message: '…' },
      { path: 'body.elsewhere', message: '…' },
    ];
    const refused = rejectedFields({ code: 'validation_error', retryAfterSeconds: null, errors }, donateEn);
    expect(refused).toEqual({ amount: donateEn.errors.malformed });
  });
});

function named(donor_name: string) {
  return validateDraft({ ...draft, donor_name }, 'BTC', link, donateEn);
}

function failure(
  code: 'rate_limited' | 'address_pool_busy' | 'internal_error',
  retryAfterSeconds: number | null,
): string {
  return failureMessage({ code, retryAfterSeconds, errors: [] }, donateEn);
}
