import type { OverlaySources } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useLoad } from '../../../api/use-load.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { GoalForm } from './goal-form.tsx';
import { SourceLinks } from './source-links.tsx';
import { GoalPreview } from './goal-preview.tsx';
import { SOURCES_TEXTS } from './sources-texts.ts';

/** The browser sources beside the alerts: their links, the goal, and from when on the counter counts. */
export function SourcesPanel() {
  const { api, language } = useSignedInAccount();
  const words = SOURCES_TEXTS[language];
  const loaded = useLoad(() => api.getOverlaySources(), [api]);
  return (
    <Panel title={words.heading} testId="sources">
      <p>{words.hint}</p>
      <SourceLinks words={words} />
      <details class="more">
        <summary data-testid="sources-summary">{words.settings}</summary>
        <WhenLoaded loaded={loaded}>{(sources) => <Settings loaded={sources} />}</WhenLoaded>
      </details>
    </Panel>
  );
}

function Settings({ loaded }: { loaded: OverlaySources }) {
  const words = SOURCES_TEXTS[useSignedInAccount().language];
  const [hasGoal, setHasGoal] = useState(loaded.goal !== null);
  return (
    <div class="stack">
      {hasGoal ? <GoalPreview title={words.preview} /> : null}
      <GoalForm loaded={loaded} words={words} onSaved={({ goal }) => setHasGoal(goal !== null)} />
    </div>
  );
}
