import type { GoalProgress } from '@paywatch/domain/contract';
import { coinText } from '../../money/amounts.ts';
import { shortPriceText } from '../../money/fiat.ts';
import type { Language } from '../../ui/language.ts';
import { PROFILE_TEXTS } from './profile-texts.ts';

/** The goal of the owner with its bar. Without a known amount it shows the target alone. */
export function Goal({ goal, language }: { goal: GoalProgress; language: Language }) {
  const { unit, reached } = goal;
  const texts = PROFILE_TEXTS[language];
  const title = goal.title || texts.goal;
  const target = amountText(goal.target, unit, language);
  return (
    <div class="goal" data-testid="goal">
      <p class="label">
        <bdi>{title}</bdi>
      </p>
      {reached === null ? null : (
        <progress class="proof__bar" max={Number(goal.target)} value={Number(reached)} aria-label={title} />
      )}
      <p>{reached === null ? target : texts.of(amountText(reached, unit, language), target)}</p>
    </div>
  );
}

/** An amount in the unit of a goal: `0.05 BTC`, or `12.50 EUR`. Pure. */
function amountText(amount: string, unit: string, language: Language): string {
  if (unit === 'BTC' || unit === 'LTC') return coinText(amount.replace('.', ''), unit);
  return shortPriceText({ amount, currency: unit }, language);
}
