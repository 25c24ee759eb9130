import type { MemberView } from '@paywatch/domain/contract';
import type { ProjectRole } from '@paywatch/domain/roles';
import { useId, useRef, useState } from 'preact/hooks';
import { isolated } from '../../../ui/isolated.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form } from '../../parts/form/form.tsx';
import { MEMBERS_TEXTS } from './members-texts.ts';
import { RoleChoice } from './role-choice.tsx';

type ChangeProps = { memberId: string; member: MemberView; onChanged: () => Promise<void> };

/** A button that opens a dialog with the roles. The native dialog handles focus and Escape. */
export function ChangeRole({ memberId, member, onChanged }: ChangeProps) {
  const { texts, api, language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const [role, setRole] = useState<ProjectRole>(member.role);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const submit = useSubmit<MemberView>();
  const open = () => {
    setRole(member.role);
    submit.reset();
    dialog.current?.showModal();
    // The browser would focus the first role.
    dialog.current?.querySelector<HTMLElement>('input:checked')?.focus();
  };
  const save = async () => {
    if ((await submit.send(() => api.updateMember(memberId, role))) === null) return;
    dialog.current?.close();
    await onChanged();
  };
  return (
    <>
      <button type="button" class="button button--small" data-testid="role-change" onClick={open}>
        {words.change}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby={titleId} data-testid="role-dialog">
        <h2 class="dialog__title" id={titleId}>
          {words.changeTitle(isolated(member.email))}
        </h2>
        <Form testId="role-form" problem={submit.problem} onSubmit={() => void save()}>
          <RoleChoice id={`role-${memberId}`} value={role} onValue={setRole} />
          <p class="quiet">{words.changeDetail}</p>
          <div class="dialog__buttons">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              {texts.common.cancel}
            </button>
            <button
              type="submit"
              class="button button--main"
              aria-disabled={submit.isBusy}
              data-testid="role-save"
            >
              {texts.common.save}
            </button>
          </div>
        </Form>
      </dialog>
    </>
  );
}
