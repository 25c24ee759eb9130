import type { OverlaySummary } from '@paywatch/domain/contract';
import { coinsText } from './amount-text.ts';
import { amountElement, element } from './element.ts';
import type { SourceTexts } from './source-texts.ts';

/** The top donors of a period of the query, of all time if it names none; null if there are none. */
export function topDonors(
  top: OverlaySummary['top'],
  wanted: string | null,
  texts: SourceTexts,
): HTMLElement | null {
  const period = (['day', 'week', 'month'] as const).find((name) => name === wanted) ?? 'all';
  const donors = top[period];
  if (donors.length === 0) return null;
  const lines = donors.map((donor) =>
    element('li', '', element('bdi', '', donor.donor_name), ' ', amountElement(coinsText(donor))),
  );
  return element(
    'div',
    'source top',
    element('h1', 'source__title', texts.top[period]),
    element('ol', '', ...lines),
  );
}
