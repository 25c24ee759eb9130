import { useSignedInAccount } from '../../app/account-context.ts';
import { CopyField } from '../../parts/secret-box.tsx';
import type { OverlaySettingsTexts } from './overlay-settings-en.ts';

/** The URLs of the browser sources beside the alerts. */
export function MoreSources({ words }: { words: OverlaySettingsTexts }) {
  const { overlay_url: url } = useSignedInAccount().me.project;
  return (
    <>
      <p class="label">{words.moreSources}</p>
      <p class="quiet">{words.moreSourcesHint}</p>
      {(['latest', 'ticker'] as const).map((source) => (
        <div key={source} class="field">
          <p class="label">{words.sources[source]}</p>
          <CopyField value={`${url}?source=${source}`} testId={`source-${source}`} />
        </div>
      ))}
    </>
  );
}
