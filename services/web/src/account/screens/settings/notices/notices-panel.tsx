import type { NoticesView } from '@paywatch/domain/contract';
import { useRef, useState } from 'preact/hooks';
import type { ApiProblem } from '../../../api/api-call.ts';
import { useLoad } from '../../../api/use-load.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Checkbox, ProblemNotice } from '../../../parts/form/form.tsx';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { NOTICES_TEXTS } from './notices-texts.ts';

/** The owner's choice of notices. */
export function NoticesPanel() {
  const { api, language } = useSignedInAccount();
  const loaded = useLoad(() => api.getNotices(), [api]);
  const { heading, lead } = NOTICES_TEXTS[language];
  return (
    <Panel title={heading} testId="notices">
      <p class="quiet">{lead}</p>
      <WhenLoaded loaded={loaded}>{(notices) => <NoticeChoices loaded={notices} />}</WhenLoaded>
    </Panel>
  );
}

/** Saves each change at once, and takes it back if it cannot be saved. */
function NoticeChoices({ loaded }: { loaded: NoticesView }) {
  const { api, language } = useSignedInAccount();
  const [notices, setNotices] = useState(loaded);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  // One at a time: of two changes of the same kind, the later one must be saved last.
  const saving = useRef(Promise.resolve());
  const show = (kind: string, isWanted: boolean) => setNotices((now) => ({ ...now, [kind]: isWanted }));
  const save = async (kind: string, isWanted: boolean) => {
    const result = await api.updateNotices({ [kind]: isWanted });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) show(kind, !isWanted);
  };
  const choose = (kind: string, isWanted: boolean) => {
    show(kind, isWanted);
    saving.current = saving.current.then(() => save(kind, isWanted));
  };
  const { kinds } = NOTICES_TEXTS[language];
  return (
    <>
      <ProblemNotice problem={problem} />
      {(Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => (
        <Checkbox
          key={kind}
          id={kind}
          label={kinds[kind]}
          isChecked={notices[kind]}
          onValue={(isWanted) => choose(kind, isWanted)}
        />
      ))}
    </>
  );
}
