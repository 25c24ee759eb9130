import type {
  CreateDonationInput,
  Currency,
  DonationDraft,
  DonationLinkInfo,
} from '@paywatch/domain/contract';
import { parseFiat } from '@paywatch/domain/fiat';
import { formatCoins, parseCoins } from '@paywatch/domain/money';
import { priceInCoins } from '@paywatch/domain/price-in-coins';
import { parseRate, RATE_DECIMALS } from '@paywatch/domain/rate-value';
import { countCharacters, plainText } from '@paywatch/domain/visible-text';
import { normalizeAmount } from '../../money/typed-amount.ts';
import type { DonateTexts } from '../texts/donate-en.ts';

/** The fields that are validated. */
export type DraftField = 'amount' | 'donor_name' | 'donor_message';
/** The error message of each invalid field. */
export type DraftErrors = Partial<Record<DraftField, string>>;

/** An empty form with the first currency that has a free address. */
export function emptyDraft({ currencies, busy_currencies: busy = [] }: DonationLinkInfo): DonationDraft {
  const free = currencies.find((currency) => !busy.includes(currency));
  return {
    currency: free ?? currencies[0] ?? 'BTC',
    amount: '',
    unit: '',
    donor_name: '',
    donor_message: '',
  };
}

/**
 * The draft as the form can show it: an amount in a currency that is not offered with this coin is removed, because the field would
 * show the same number in coins. A form without JavaScript may contain any text. Pure.
 */
export function offeredDraft(
  draft: DonationDraft,
  currency: Currency,
  { prices }: DonationLinkInfo,
): DonationDraft {
  const isOffered = draft.unit === '' || (draft.unit === prices?.currency && prices.rates[currency] !== null);
  return isOffered ? draft : { ...draft, amount: '', unit: '' };
}

/** Parses a typed amount to minimal units; null if empty, undefined if it is not an amount. */
export function draftUnits(amount: string, currency: Currency): bigint | null | undefined {
  const typed = normalizeAmount(amount);
  if (typed === '') return null;
  const parsed = parseCoins(typed, currency);
  return parsed.ok ? parsed.value : undefined;
}

/**
 * The typed amount in minimal units. An amount in a currency is converted at the rate of the page; the API converts it again when it is
 * sent. Null if nothing is typed or there is no rate, undefined if the text is no amount. Pure.
 */
export function askedUnits(
  { amount, unit }: DonationDraft,
  currency: Currency,
  { prices }: DonationLinkInfo,
): bigint | null | undefined {
  const typed = normalizeAmount(amount);
  if (unit === '') return draftUnits(amount, currency);
  if (typed === '') return null;
  const cents = parseFiat(typed, unit);
  if (cents === null || cents === 0n) return undefined;
  const rate = parseRate(prices?.rates[currency] ?? '', RATE_DECIMALS);
  return rate === null ? null : priceInCoins({ amount: cents, currency: unit }, rate, 0);
}

/** The API request for a draft. An invalid amount is passed on as typed, so that the API rejects it. */
export function donationRequest(draft: DonationDraft, currency: Currency): CreateDonationInput {
  return {
    currency,
    ...(draft.unit === '' ? amountIn(draft, currency) : priceIn(draft)),
    ...(plainText(draft.donor_name) === '' ? {} : { donor_name: draft.donor_name }),
    ...(plainText(draft.donor_message) === '' ? {} : { donor_message: draft.donor_message }),
  };
}

function amountIn({ amount }: DonationDraft, currency: Currency): Pick<CreateDonationInput, 'amount'> {
  const units = draftUnits(amount, currency);
  return units === null ? {} : { amount: units === undefined ? amount : String(units) };
}

function priceIn({ amount, unit }: DonationDraft): Pick<CreateDonationInput, 'price'> {
  const typed = normalizeAmount(amount);
  return typed === '' ? {} : { price: { amount: typed, currency: unit } };
}

/** Validates a draft against the limits of the link. Pure. */
export function validateDraft(
  draft: DonationDraft,
  currency: Currency,
  link: DonationLinkInfo,
  texts: DonateTexts,
): DraftErrors {
  const { limits } = link;
  return {
    ...errorFor('amount', amountError(draft, currency, link, texts)),
    ...errorFor('donor_name', textError(draft.donor_name, limits.donor_name_max_length, texts)),
    ...errorFor('donor_message', textError(draft.donor_message, limits.donor_message_max_length, texts)),
  };
}

/** The errors to show after some fields were changed: a corrected one vanishes, and no new one appears while the donor types. Pure. */
export function remainingErrors(
  shown: DraftErrors,
  found: DraftErrors,
  changed: Partial<DonationDraft>,
): DraftErrors {
  const fields = Object.keys(shown) as DraftField[];
  return Object.assign(
    {},
    ...fields.map((field) => errorFor(field, (field in changed ? found : shown)[field] ?? null)),
  );
}

function errorFor(field: DraftField, error: string | null): DraftErrors {
  return error === null ? {} : { [field]: error };
}

function amountError(
  draft: DonationDraft,
  currency: Currency,
  link: DonationLinkInfo,
  texts: DonateTexts,
): string | null {
  const units = askedUnits(draft, currency, link);
  const { amounts } = link.limits;
  const [min, max] = [BigInt(amounts[currency].min), BigInt(amounts[currency].max)];
  if (units === undefined) return draft.unit === '' ? texts.errors.malformed : texts.errors.malformedPrice;
  if (units === null) return null;
  if (units < min) return texts.errors.below(`${formatCoins(min)} ${currency}`);
  return units > max ? texts.errors.above(`${formatCoins(max)} ${currency}`) : null;
}

/** Measures the text as it will be shown, like the API does. */
function textError(text: string, limit: number, texts: DonateTexts): string | null {
  const shown = plainText(text);
  if (shown === '' && text.trim() !== '') return texts.errors.invisible;
  return countCharacters(shown) > limit ? texts.errors.tooLong(limit) : null;
}
