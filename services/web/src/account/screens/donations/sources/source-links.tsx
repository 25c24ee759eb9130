import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Select } from '../../../parts/form/form.tsx';
import { CopyField } from '../../../parts/secret-box.tsx';
import type { SourcesTexts } from './sources-texts.ts';

const PERIODS = ['day', 'week', 'month', 'all'] as const;

/** The URL of each browser source, to copy. */
export function SourceLinks({ words }: { words: SourcesTexts }) {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('month');
  return (
    <>
      {(['goal', 'counter', 'latest', 'ticker'] as const).map((source) => (
        <SourceLink key={source} label={words.sources[source]} query={source} testId={`source-${source}`} />
      ))}
      <SourceLink label={words.sources.top} query={`top&period=${period}`} testId="source-top" />
      <Select
        id="top_period"
        label={words.period}
        value={period}
        options={PERIODS.map((name) => [name, words.periods[name]] as const)}
        onValue={setPeriod}
      />
    </>
  );
}

type LinkProps = { label: string; query: string; testId: string };

function SourceLink({ label, query, testId }: LinkProps) {
  const { overlay_url: url } = useSignedInAccount().me.project;
  return (
    <div class="field">
      <p class="label">{label}</p>
      <CopyField value={`${url}?source=${query}`} testId={testId} />
    </div>
  );
}
