import { describe, expect, it } from 'vitest';
import { donationRequest, validateDraft, draftUnits, emptyDraft } from '../../src/donate/donation-draft.ts';
import { failureMessage, rejectedFields } from '../../src/donate/donation-failure.ts';
import { readDonationForm } from '../../src/server/read-donation-form.ts';
import { donateEn } from '../../src/donate/donate-en.ts';
import { donationLink } from '../support/donor-api.ts';

const link = donationLink();
const draft = emptyDraft(link);

describe('the amount that a donor types', () => {
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
  ])('"%s" is %s in minimal units, without ever being a float', (typed, units) => {
    expect(draftUnits(typed, 'BTC')).toBe(units);
  });
});

describe('a draft', () => {
  it('becomes the request of the API; what was left empty is left out', () => {
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
  ])('with the amount %s says what is wrong', (amount, error) => {
    expect(validateDraft({ ...draft, amount }, 'BTC', link, donateEn)).toEqual({ amount: error });
  });

  it('counts characters as the API does: fifty emoji are a name, fifty-one are not', () => {
    expect(named('🦊'.repeat(50))).toEqual({});
    expect(named('🦊'.repeat(51))).toEqual({ donor_name: 'Use at most 50 characters.' });
  });

  it.each([
    ['a Hangul filler', '\u3164'],
    ['an empty Braille pattern', '\u2800'],
    ['tag characters', '\u{E0041}\u{E0042}'],
    ['marks of direction', '\u200E\u061C'],
    ['marks on nothing', '\u0301'.repeat(3)],
  ])('of %s alone is marked at once, and is no name to send', (_, hidden) => {
    expect(named(hidden)).toEqual({ donor_name: donateEn.errors.invisible });
    expect(donationRequest({ ...draft, donor_name: hidden }, 'BTC')).toEqual({ currency: 'BTC' });
  });

  it('is measured as it will be shown: without what hides, and with three marks on a letter', () => {
    expect(named(`${'a'.repeat(50)}${'\u200E'.repeat(20)}`)).toEqual({});
    expect(named(`e${'\u0323'.repeat(198)}`)).toEqual({});
    expect(named(' ')).toEqual({});
  });
});

describe('the form without script', () => {
  it('is read like the one with it, and keeps what was typed', () => {
    const { draft: typed, request } = readDonationForm({
      currency: 'BTC',
      amount: '0,001',
      donor_name: 'G',
      more: 'x',
    });
    expect(typed).toEqual({ currency: 'BTC', amount: '0,001', donor_name: 'G', donor_message: '' });
    expect(request).toEqual({ currency: 'BTC', amount: '100000', donor_name: 'G' });
  });

  it('leaves it to the API to refuse what is no currency, no amount, or no text', () => {
    expect(readDonationForm({ currency: 'DOGE' }).request).toEqual({ currency: 'DOGE' });
    expect(readDonationForm({ currency: 'BTC', amount: 'lots' }).request).toMatchObject({ amount: 'lots' });
    expect(readDonationForm({ currency: ['BTC'], amount: { a: 1 } }).draft).toMatchObject({
      currency: '',
      amount: '',
    });
  });
});

describe('what went wrong', () => {
  it('says when to try again where the API says it', () => {
    expect(failure('rate_limited', 600)).toContain('10 minutes');
    expect(failure('address_pool_busy', 45)).toContain('45 seconds');
    expect(failure('address_pool_busy', null)).toContain('60 seconds');
  });

  it('never claims that something was sent when there was no answer', () => {
    expect(failureMessage(null, donateEn)).toContain('Nothing was sent');
    expect(failure('internal_error', null)).toContain('Nothing was sent');
  });

  it('marks the fields that the API refused, in the words of the page', () => {
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
