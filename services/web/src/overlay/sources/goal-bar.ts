import type { GoalProgress } from '@paywatch/domain/contract';
import type { Language } from '../../ui/language.ts';
import { percentOf, unitText } from './amount-text.ts';
import { amountElement, element } from './element.ts';
import type { SourceTexts } from './source-texts.ts';

/** A goal with its bar. Without a known amount it shows the target alone. */
export function goalBar(goal: GoalProgress, texts: SourceTexts, language: Language): HTMLElement {
  const { title, unit, reached } = goal;
  const target = unitText(goal.target, unit, language);
  const percent = reached === null ? 0 : percentOf(reached, goal.target);
  const sums = reached === null ? target : texts.of(unitText(reached, unit, language), target);
  const box = element(
    'div',
    'source goal',
    element('p', 'goal__title', element('bdi', '', title || texts.goal)),
    progressBar(percent, title || texts.goal),
    element(
      'p',
      'goal__sums',
      amountElement(sums),
      ' ',
      element('span', '', reached === null ? '' : `${percent}%`),
    ),
  );
  box.dataset['reached'] = String(percent >= 100);
  return box;
}

function progressBar(percent: number, label: string): HTMLElement {
  const fill = element('div', 'goal__fill');
  const shown = Math.min(100, percent);
  fill.style.width = `${shown}%`;
  const bar = element('div', 'goal__bar', fill);
  bar.role = 'progressbar';
  bar.ariaLabel = label;
  bar.ariaValueMin = '0';
  bar.ariaValueMax = '100';
  bar.ariaValueNow = String(shown);
  return bar;
}
