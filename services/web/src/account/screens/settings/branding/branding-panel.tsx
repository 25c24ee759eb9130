import { useLoad } from '../../../api/use-load.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { BrandingForm } from './branding-form.tsx';
import { BRANDING_TEXTS } from './branding-texts.ts';

/** The look of the payment pages. */
export function BrandingPanel() {
  const { api, language } = useSignedInAccount();
  const words = BRANDING_TEXTS[language];
  const loaded = useLoad(() => api.getBranding(), [api]);
  return (
    <Panel title={words.heading} testId="branding">
      <p class="quiet">{words.hint}</p>
      <WhenLoaded loaded={loaded}>
        {(branding) => <BrandingForm loaded={branding} words={words} />}
      </WhenLoaded>
    </Panel>
  );
}
