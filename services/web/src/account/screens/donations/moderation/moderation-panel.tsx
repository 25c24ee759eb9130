import type { Moderation } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useLoad } from '../../../api/use-load.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { ControlLink } from './control-link.tsx';
import { HoldForm } from './hold-form.tsx';
import { MODERATION_TEXTS } from './moderation-texts.ts';

/** Which donations are held, and the link of the control page. */
export function ModerationPanel() {
  const { api, language } = useSignedInAccount();
  const words = MODERATION_TEXTS[language];
  const loaded = useLoad(() => api.getModeration(), [api]);
  return (
    <Panel title={words.heading} testId="moderation">
      <p>{words.hint}</p>
      <WhenLoaded loaded={loaded}>{(moderation) => <Parts loaded={moderation} />}</WhenLoaded>
    </Panel>
  );
}

function Parts({ loaded }: { loaded: Moderation }) {
  const words = MODERATION_TEXTS[useSignedInAccount().language];
  const [url, setUrl] = useState(loaded.control_url);
  return (
    <>
      <HoldForm loaded={loaded} words={words} />
      <ControlLink url={url} words={words} onUrl={setUrl} />
    </>
  );
}
