import type { ComponentChildren } from 'preact';
import type { operatorApi } from './operator-api.ts';
import type { OperatorTexts } from './operator-texts.ts';

/** What the screens of operators share. */
export type OperatorProps = { operator: ReturnType<typeof operatorApi>; words: OperatorTexts };

const PAGES = [
  ['overview', '/account/operator'],
  ['accounts', '/account/operator/accounts'],
  ['parked', '/account/operator/parked-invoices'],
] as const;

type NavigationProps = {
  words: OperatorTexts;
  current: (typeof PAGES)[number][0];
  children: ComponentChildren;
};

/** The links between the screens of operators, above a screen. */
export function OperatorNavigation({ words, current, children }: NavigationProps) {
  return (
    <>
      <nav class="buttons" aria-label={words.area}>
        {PAGES.map(([name, href]) => (
          <a
            key={name}
            class={name === current ? 'button button--small button--main' : 'button button--small'}
            href={href}
            data-testid={`operator-${name}`}
            {...(name === current ? { 'aria-current': 'page' } : {})}
          >
            {words[name]}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
