import type { OverlaySources } from '@paywatch/domain/contract';

/** The settings of the goal and the counter, as typed. */
export type SourceDraft = {
  readonly title: string;
  readonly unit: string;
  readonly target: string;
  readonly since: string;
  readonly added: string;
  readonly counterSince: string;
};

/** The settings in the fields; without a goal, an empty target. Pure. */
export function sourceDraft({ goal, counter_since: counterSince }: OverlaySources): SourceDraft {
  return {
    title: goal?.title ?? '',
    unit: goal?.unit ?? 'EUR',
    target: goal?.target ?? '',
    since: goal?.since ?? '',
    added: goal === null || goal.added === '0' ? '' : goal.added,
    counterSince: counterSince ?? '',
  };
}

/** What the fields ask the API to save: without a target there is no goal. Pure. */
export function sourcesIn({ title, unit, target, since, added, counterSince }: SourceDraft): OverlaySources {
  const goal = {
    title,
    unit: unit.trim().toUpperCase(),
    target: decimalIn(target),
    since: since || null,
    added: decimalIn(added) || '0',
  };
  return { goal: goal.target === '' ? null : goal, counter_since: counterSince || null };
}

/** A comma counts as the decimal sign. */
function decimalIn(text: string): string {
  return text.trim().replace(',', '.');
}
