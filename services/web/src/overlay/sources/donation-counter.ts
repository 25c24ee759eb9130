import type { OverlaySummary } from '@paywatch/domain/contract';
import type { Language } from '../../ui/language.ts';
import { coinsText } from './amount-text.ts';
import { amountElement, element } from './element.ts';
import type { SourceTexts } from './source-texts.ts';

/** How many donations there were, their sum, and since when. */
export function donationCounter(
  counter: OverlaySummary['counter'],
  texts: SourceTexts,
  language: Language,
): HTMLElement {
  const { donations, since } = counter;
  const count = new Intl.NumberFormat(language).format(donations);
  const day = since === null ? '' : texts.since(dayText(since, language));
  return element(
    'div',
    'source counter',
    element('p', 'counter__count', element('b', '', count), ` ${texts.donations(donations)}`),
    element('p', 'counter__sums', ...(donations === 0 ? [] : [amountElement(coinsText(counter)), ' ']), day),
  );
}

function dayText(day: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}
