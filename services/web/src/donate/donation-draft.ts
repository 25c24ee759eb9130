import type {
  CreateDonationInput,
  Currency,
  DonationDraft,
  DonationLinkInfo,
} from '@paywatch/domain/contract';
import { formatCoins, parseCoins } from '@paywatch/domain/money';
import { countCharacters, plainText } from '@paywatch/domain/visible-text';
import type { DonateTexts } from './donate-en.ts';

/** The fields of the form that can be wrong. */
export type DraftField = 'amount' | 'donor_name' | 'donor_message';
/** What is wrong with each field, in words. */
export type DraftErrors = Partial<Record<DraftField, string>>;

/** An empty form, of the first currency that has an address. */
export function emptyDraft({ currencies, busy_currencies: busy = [] }: DonationLinkInfo): DonationDraft {
  const free = currencies.find((currency) => !busy.includes(currency));
  return { currency: free ?? currencies[0] ?? 'BTC', amount: '', donor_name: '', donor_message: '' };
}

/** The amount of a draft in minimal units; null where none was typed, undefined where it is no amount. */
export function draftUnits(amount: string, currency: Currency): bigint | null | undefined {
  const typed = normalizeCoins(amount);
  if (typed === '') return null;
  const parsed = parseCoins(typed, currency);
  return parsed.ok ? parsed.value : undefined;
}

/** People type a comma where their language has one, leave out a zero, and paste spaces. */
function normalizeCoins(typed: string): string {
  const text = typed.replaceAll(/\s/g, '').replace(/^([^.,]*),([^.,]*)$/, '$1.$2');
  return text.replace(/^\./, '0.').replace(/\.$/, '');
}

/** The request that a draft stands for. An amount that is none is passed on as typed, for the API to refuse. */
export function donationRequest(draft: DonationDraft, currency: Currency): CreateDonationInput {
  const units = draftUnits(draft.amount, currency);
  return {
    currency,
    ...(units === null ? {} : { amount: units === undefined ? draft.amount : String(units) }),
    ...(plainText(draft.donor_name) === '' ? {} : { donor_name: draft.donor_name }),
    ...(plainText(draft.donor_message) === '' ? {} : { donor_message: draft.donor_message }),
  };
}

/** What is wrong with a draft, by the limits of the link. Pure. */
export function validateDraft(
  draft: DonationDraft,
  currency: Currency,
  { limits }: DonationLinkInfo,
  texts: DonateTexts,
): DraftErrors {
  return {
    ...errorFor('amount', amountError(draftUnits(draft.amount, currency), currency, limits, texts)),
    ...errorFor('donor_name', textError(draft.donor_name, limits.donor_name_max_length, texts)),
    ...errorFor('donor_message', textError(draft.donor_message, limits.donor_message_max_length, texts)),
  };
}

function errorFor(field: DraftField, error: string | null): DraftErrors {
  return error === null ? {} : { [field]: error };
}

function amountError(
  units: bigint | null | undefined,
  currency: Currency,
  { amounts }: DonationLinkInfo['limits'],
  texts: DonateTexts,
): string | null {
  const [min, max] = [BigInt(amounts[currency].min), BigInt(amounts[currency].max)];
  if (units === undefined) return texts.errors.malformed;
  if (units === null) return null;
  if (units < min) return texts.errors.below(`${formatCoins(min)} ${currency}`);
  return units > max ? texts.errors.above(`${formatCoins(max)} ${currency}`) : null;
}

/** Measured as it will be shown, which is how the API measures it. */
function textError(text: string, limit: number, texts: DonateTexts): string | null {
  const shown = plainText(text);
  if (shown === '' && text.trim() !== '') return texts.errors.invisible;
  return countCharacters(shown) > limit ? texts.errors.tooLong(limit) : null;
}
