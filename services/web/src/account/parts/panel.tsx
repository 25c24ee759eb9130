import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAccount } from '../app/account-context.ts';
import { useFocusRecovery } from './use-focus-recovery.ts';
import type { Loaded } from '../api/use-load.ts';
import { ProblemNotice } from './form.tsx';

type ScreenProps = {
  title: string;
  /** Of what the screen is about, where it has no better name. */
  id?: string;
  actions?: ComponentChildren;
  testId: string;
  children: ComponentChildren;
};

/** One screen. Its heading takes the focus when somebody comes to it, so that screen readers say where they are. */
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
  /** It has just come by what its reader did elsewhere on the screen: its heading is where to go on. */
  takesFocus?: boolean;
  children: ComponentChildren;
};

/** A part of a screen on a surface of its own. */
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

/** An empty list: what will be there, and how to get the first one. */
export function Empty({ children, testId = 'empty' }: { children: ComponentChildren; testId?: string }) {
  return (
    <div class="empty" data-testid={testId}>
      {children}
    </div>
  );
}

type LoadingProps<Value> = { loaded: Loaded<Value>; children: (value: Value) => ComponentChildren };

/** What was loaded, or that it is being loaded, or why it could not be and a button to try again. */
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
