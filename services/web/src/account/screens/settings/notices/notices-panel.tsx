import type { NoticesView } from '@paywatch/domain/contract';
import { useLoad } from '../../../api/use-load.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Checkbox, ProblemNotice } from '../../../parts/form.tsx';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { NOTICES_TEXTS } from './notices-texts.ts';

/** The owner's choice of notices; each change is saved at once. */
export function NoticesPanel() {
  const { api, language } = useSignedInAccount();
  const loaded = useLoad(() => api.getNotices(), [api]);
  const submit = useSubmit<NoticesView>();
  const { heading, lead, kinds } = NOTICES_TEXTS[language];
  return (
    <Panel title={heading} testId="notices">
      <p class="quiet">{lead}</p>
      <ProblemNotice problem={submit.problem} />
      <WhenLoaded loaded={loaded}>
        {(notices) =>
          (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => (
            <Checkbox
              key={kind}
              id={kind}
              label={kinds[kind]}
              isChecked={(submit.value ?? notices)[kind]}
              onValue={(isWanted) => void submit.send(() => api.updateNotices({ [kind]: isWanted }))}
            />
          ))
        }
      </WhenLoaded>
    </Panel>
  );
}
