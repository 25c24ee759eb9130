import type { OverlaySummary } from '@paywatch/domain/contract';
import type { Language } from '../../ui/language.ts';
import { overlayLook } from '../settings.ts';
import { donationCounter } from './donation-counter.ts';
import { goalBar } from './goal-bar.ts';
import { SOURCE_TEXTS } from './source-texts.ts';
import { followSummary } from './summary-stream.ts';
import { topDonors } from './top-donors.ts';

/** Shows a goal, the top donors or a counter: only the values of the last message. */
export function showSummary(
  stage: HTMLElement,
  token: string,
  query: URLSearchParams,
  language: Language,
): void {
  let look = overlayLook(query);
  let summary: OverlaySummary | null = null;
  const draw = () => {
    const { theme, position } = look;
    Object.assign(stage.dataset, { theme, position, source: query.get('source') });
    const content = summary && contentOf(summary, query, language);
    const before = fillOf(stage)?.style.width;
    stage.replaceChildren(...(content ? [content] : []));
    stage.hidden = content === null;
    moveFill(fillOf(stage), before);
    if (content) dropOverflow(content);
  };
  addEventListener('resize', draw);
  followSummary(token, {
    onSettings: (settings) => {
      look = overlayLook(query, settings);
      draw();
    },
    onSummary: (next) => {
      summary = next;
      draw();
    },
  });
}

/** Null if there is nothing to show: no goal, or no donor yet. */
function contentOf(summary: OverlaySummary, query: URLSearchParams, language: Language): HTMLElement | null {
  const texts = SOURCE_TEXTS[language];
  const source = query.get('source');
  if (source === 'goal') return summary.goal && goalBar(summary.goal, texts, language);
  if (source === 'top') return topDonors(summary.top, query.get('period'), texts);
  return donationCounter(summary.counter, texts, language);
}

function fillOf(stage: HTMLElement): HTMLElement | null {
  return stage.querySelector<HTMLElement>('.goal__fill');
}

/** Lets the bar grow from where it was: the whole goal is drawn anew for each message. */
function moveFill(fill: HTMLElement | null, before: string | undefined): void {
  if (fill === null || before === undefined) return;
  const after = fill.style.width;
  fill.style.width = before;
  // Reading a size lets the browser compute the first width, from which the transition starts.
  void fill.offsetWidth;
  fill.style.width = after;
}

/** Removes the last lines of a list that is higher than the browser source: half a line looks like a fault. */
function dropOverflow(content: HTMLElement): void {
  const lines = [...content.querySelectorAll('li')];
  while (lines.length > 1 && content.scrollHeight > content.clientHeight) lines.pop()?.remove();
}
