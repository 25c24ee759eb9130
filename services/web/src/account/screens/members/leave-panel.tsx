import type { DoneView } from '@paywatch/domain/contract';
import { isolated } from '../../../ui/isolated.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { MEMBERS_TEXTS } from './members-texts.ts';

/** Ends the reader's own membership, then shows the first project of the account. */
export function LeavePanel() {
  const { api, language, me, navigate, chooseProject } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const submit = useSubmit<DoneView>();
  const leave = async () => {
    if ((await submit.send(() => api.leaveProject())) === null) return;
    chooseProject(null);
    navigate('/account');
  };
  return (
    <Panel title={words.leaveHeading} testId="leave">
      <p class="quiet">{words.leaveLead}</p>
      <ProblemNotice problem={submit.problem} />
      <div class="buttons">
        <ConfirmButton
          question={words.leaveAsk(isolated(me.project.name ?? words.thisProject))}
          detail={words.leaveLead}
          testId="leave-project"
          onConfirm={() => void leave()}
        >
          {words.leave}
        </ConfirmButton>
      </div>
    </Panel>
  );
}
