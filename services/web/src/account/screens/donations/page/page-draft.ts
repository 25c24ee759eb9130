import type { Currency, DonationPage, UpdateDonationPageInput } from '@paywatch/domain/contract';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { formatCoins } from '@paywatch/domain/money';
import { typedCoins, unitsOf } from '../overlay-draft.ts';

/** The settings of the donation page as typed. */
export type PageDraft = {
  readonly picture: string | null;
  /** `#rrggbb`; null for the usual color. */
  readonly accent: string | null;
  readonly text: string;
  readonly links: readonly { readonly title: string; readonly url: string }[];
  readonly suggestions: 'usual' | 'coins' | 'prices';
  /** Amounts with spaces between them. */
  readonly btc: string;
  readonly ltc: string;
  readonly prices: string;
  readonly priceCurrency: string;
  readonly minBtc: string;
  readonly minLtc: string;
  readonly showGoal: boolean;
  readonly showLatest: boolean;
};

/** A field with a value that cannot be saved. */
export type InvalidField = 'btc' | 'ltc' | 'prices' | 'minBtc' | 'minLtc';

const { maxItems } = SETTING_LIMITS.donationPage.suggestions;

/** Pure. */
export function pageDraft(page: DonationPage): PageDraft {
  const { suggested_amounts: amounts, suggested_prices: prices } = page;
  return {
    picture: page.picture,
    accent: page.accent_color,
    text: page.text,
    links: page.links,
    suggestions: prices === null ? (amounts === null ? 'usual' : 'coins') : 'prices',
    btc: typedList(amounts?.BTC),
    ltc: typedList(amounts?.LTC),
    prices: prices?.amounts.join(' ') ?? '',
    priceCurrency: prices?.currency ?? 'EUR',
    minBtc: typedCoins(page.min_message_btc),
    minLtc: typedCoins(page.min_message_ltc),
    showGoal: page.show_goal,
    showLatest: page.show_latest,
  };
}

function typedList(units: readonly string[] = []): string {
  return units.map((one) => formatCoins(BigInt(one))).join(' ');
}

/** What the draft changes, or the fields that are invalid. Links and texts are judged by the API. Pure. */
export function readPageDraft(
  draft: PageDraft,
): { change: UpdateDonationPageInput } | { invalid: readonly InvalidField[] } {
  const [minBtc, minLtc] = [unitsOf(draft.minBtc, 'BTC'), unitsOf(draft.minLtc, 'LTC')];
  const invalid: InvalidField[] = invalidSuggestions(draft);
  if (minBtc === null || minLtc === null || invalid.length > 0)
    return {
      invalid: [
        ...invalid,
        ...(minBtc === null ? ['minBtc' as const] : []),
        ...(minLtc === null ? ['minLtc' as const] : []),
      ],
    };
  return {
    change: {
      picture: draft.picture,
      accent_color: draft.accent,
      text: draft.text,
      links: draft.links.filter(({ title, url }) => title.trim() !== '' || url.trim() !== ''),
      ...suggestionsOf(draft),
      min_message_btc: minBtc,
      min_message_ltc: minLtc,
      show_goal: draft.showGoal,
      show_latest: draft.showLatest,
    },
  };
}

function suggestionsOf(draft: PageDraft): UpdateDonationPageInput {
  const { suggestions, btc, ltc, prices, priceCurrency } = draft;
  const currency = priceCurrency.trim().toUpperCase();
  return {
    suggested_amounts:
      suggestions === 'coins' ? { BTC: amountsOf(btc, 'BTC') ?? [], LTC: amountsOf(ltc, 'LTC') ?? [] } : null,
    suggested_prices: suggestions === 'prices' ? { currency, amounts: pricesOf(prices) ?? [] } : null,
  };
}

function invalidSuggestions({ suggestions, btc, ltc, prices }: PageDraft): InvalidField[] {
  if (suggestions === 'usual') return [];
  if (suggestions === 'prices') return pricesOf(prices) === null ? ['prices'] : [];
  return [
    ...(amountsOf(btc, 'BTC') === null ? ['btc' as const] : []),
    ...(amountsOf(ltc, 'LTC') === null ? ['ltc' as const] : []),
  ];
}

/** Minimal units; null unless there are one to four amounts above zero. */
function amountsOf(typed: string, currency: Currency): string[] | null {
  const units = wordsOf(typed).map((word) => unitsOf(word, currency));
  const valid = units.filter((one): one is string => one !== null && one !== '0');
  return isCount(units.length) && valid.length === units.length ? valid : null;
}

/** Null unless there are one to four prices. */
function pricesOf(typed: string): string[] | null {
  const prices = wordsOf(typed).map((word) => word.replace(',', '.'));
  const isValid = prices.every((price) => /^\d{1,9}(\.\d{1,4})?$/.test(price));
  return isCount(prices.length) && isValid ? prices : null;
}

function isCount(count: number): boolean {
  return count >= 1 && count <= maxItems;
}

/** A comma is a decimal sign, so it separates nothing. */
function wordsOf(typed: string): string[] {
  return typed.split(/[\s;]+/).filter((word) => word !== '');
}
