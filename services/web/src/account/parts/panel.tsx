import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAccount } from '../app/account-context.ts';
import { useFocusRecovery } from './use-focus-recovery.ts';
import type { Loaded } from '../api/use-load.ts';
import { ProblemNotice } from './form/form.tsx';

type ScreenProps = {
  title: string;
  /** The id of the object, shown after the title. */
  id?: string;
  actions?: ComponentChildren;
  testId: string;
  children: ComponentChildren;
};

/** The frame of a screen. Its heading takes the focus on navigation, so that screen readers announce the screen. */
export function Screen({ title, id, actions, testId, children }: ScreenProps) {
  const { texts, router } = useAccount();
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusRecovery(screen);
  useEffect(() => {
    document.title = `${id === undefined ? title : `${title} ${id}`} – ${texts.title}`;
  }, [title, id]);
  useEffect(() => {
    if (router.visit > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="screen" data-testid={testId} ref={screen}>
      <div class="screen__head">
        <h1 class="screen__title" tabIndex={-1} ref={heading}>
          {title}
          {id === undefined ? null : (
            <>
              {' '}
              <code class="screen__id" dir="ltr" translate={false}>
                {id}
              </code>
            </>
          )}
        </h1>
        {actions}
      </div>
      {children}
    </div>
  );
}

type PanelProps = {
  title?: string | undefined;
  actions?: ComponentChildren;
  testId?: string;
  /** Focuses the heading of a panel that an action elsewhere on the screen has added. */
  takesFocus?: boolean;
  children: ComponentChildren;
};

/** A section of a screen. */
export function Panel({ title, actions, testId, takesFocus = false, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section class="panel" data-testid={testId}>
      {title === undefined ? null : (
        <div class="panel__head">
          <h2 class="panel__title" tabIndex={-1} ref={heading}>
            {title}
          </h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** The empty state of a list. */
export function Empty({ children, testId = 'empty' }: { children: ComponentChildren; testId?: string }) {
  return (
    <div class="empty" data-testid={testId}>
      {children}
    </div>
  );
}

type LoadingProps<Value> = { loaded: Loaded<Value>; children: (value: Value) => ComponentChildren };

/** Shows loaded data, a loading text, or the error message with a retry button. */
export function WhenLoaded<Value>({ loaded, children }: LoadingProps<Value>) {
  const { texts } = useAccount();
  const { value, problem, reload } = loaded;
  return (
    <>
      {problem === null ? null : (
        <div class="failed">
          <ProblemNotice problem={problem} />
          <button type="button" class="button" data-testid="retry" onClick={() => void reload()}>
            {texts.common.retry}
          </button>
        </div>
      )}
      {value === null ? (
        problem === null ? (
          <p class="quiet loading-line">{texts.common.loading}</p>
        ) : null
      ) : (
        children(value)
      )}
    </>
  );
}
