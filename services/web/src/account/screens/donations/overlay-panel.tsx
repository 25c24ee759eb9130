import type { OverlayDonation } from '@paywatch/domain/contract';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import { RotateButton } from './rotate-button.tsx';

// Loaded on demand: it has more fields than all other screens.
const OverlaySettingsForm = lazy(
  async () => (await import('./overlay-settings-form.tsx')).OverlaySettingsForm,
);

/** The overlay URL, a live preview, a test alert, and the settings. */
export function OverlayPanel() {
  const { api, texts, me } = useSignedInAccount();
  const test = useSubmit<OverlayDonation>();
  const { overlay_url: url } = me.project;
  const words = texts.donations;
  return (
    <Panel title={words.overlay} testId="overlay">
      <p>{words.overlayHint}</p>
      <CopyField value={url} testId="overlay-url" />
      <Preview url={url} />
      <ProblemNotice problem={test.problem} />
      {test.value === null ? null : (
        <Notice tone="calm" icon="check" testId="test-alert-sent">
          {words.testSent}
        </Notice>
      )}
      <div class="buttons">
        <button
          type="button"
          class="button button--main"
          aria-disabled={test.isBusy}
          data-testid="test-alert"
          onClick={() => void test.send(() => api.testOverlay())}
        >
          {words.test}
        </button>
        <RotateButton kind="overlay" />
      </div>
      <details class="more" data-testid="overlay-settings">
        <summary data-testid="overlay-settings-summary">{words.settings}</summary>
        <OverlaySettingsForm />
      </details>
    </Panel>
  );
}

/** The overlay in preview mode, loaded from this host. It gets changed settings through its stream, as every overlay does. */
function Preview({ url }: { url: string }) {
  const { texts } = useSignedInAccount();
  const { pathname } = new URL(url, location.href);
  return (
    <div class="overlay-preview">
      <iframe
        src={`${pathname}?preview=1`}
        title={texts.donations.preview}
        loading="lazy"
        tabIndex={-1}
        data-testid="overlay-preview"
      />
    </div>
  );
}
