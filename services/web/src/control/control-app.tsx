import { useMemo, useState } from 'preact/hooks';
import { LanguageLinks } from '../ui/language-links.tsx';
import type { Language } from '../ui/language.ts';
import { Notice } from '../ui/notice.tsx';
import { AlertControls } from './alert-controls.tsx';
import { createCalls, type CallResult, type ControlCalls } from './control-calls.ts';
import type { ControlTexts } from './control-en.ts';
import { useControlStream, type Connection } from './control-stream.ts';
import { HeldList } from './held-list.tsx';
import { RecentList } from './recent-list.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { TestForm } from './test-form.tsx';

/** What each part of the page gets. `run` shows why a request failed and returns whether it worked. */
export type PartProps = {
  calls: ControlCalls;
  run: (call: Promise<CallResult>) => Promise<boolean>;
  texts: ControlTexts;
  language: Language;
};

type Props = { token: string; language: Language; texts: ControlTexts };

/** The page with which moderators control the alerts of an overlay. */
export function ControlApp({ token, language, texts }: Props) {
  const calls = useMemo(() => createCalls(token), [token]);
  const { view, connection } = useControlStream(`${calls.path}/events`);
  const [failure, setFailure] = useState<CallResult>('done');
  const run = async (call: Promise<CallResult>) => {
    const result = await call;
    setFailure(result);
    return result === 'done';
  };
  const part = { calls, run, texts, language };
  return (
    <>
      <main class="control" data-testid="control">
        <header class="control__head">
          <h1>{texts.title(view?.project_name ?? null)}</h1>
          <ConnectionState connection={connection} texts={texts} />
        </header>
        {failure === 'done' ? null : <Notice tone="act">{failureText(failure, texts)}</Notice>}
        {view === null || connection === 'replaced' ? null : (
          <div class="control__parts">
            <AlertControls {...part} view={view} />
            <HeldList {...part} view={view} />
            <RecentList {...part} view={view} />
            <TestForm {...part} />
            <ShortcutList texts={texts} />
          </div>
        )}
      </main>
      <LanguageLinks language={language} />
    </>
  );
}

function ConnectionState({ connection, texts }: { connection: Connection; texts: ControlTexts }) {
  if (connection === 'replaced')
    return (
      <Notice tone="act" testId="replaced">
        {texts.replaced}
      </Notice>
    );
  const text = { connecting: texts.connecting, live: texts.live, lost: texts.reconnecting }[connection];
  return (
    <p class="connection" data-connection={connection} role="status" data-testid="connection">
      {text}
    </p>
  );
}

function failureText(failure: Exclude<CallResult, 'done'>, texts: ControlTexts): string {
  return failure === 'limited' ? texts.limited : texts.failed;
}
