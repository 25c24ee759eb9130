import type { InvitationView } from '@paywatch/domain/contract';
import type { ProjectRole } from '@paywatch/domain/roles';
import { useState } from 'preact/hooks';
import { isolated } from '../../../ui/isolated.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { ApiProblem } from '../../api/api-call.ts';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { MEMBERS_TEXTS } from './members-texts.ts';
import { RoleChoice } from './role-choice.tsx';

/** Invites somebody by email. Inviting an address again replaces its invitation. */
export function InviteForm({ onInvited }: { onInvited: () => Promise<void> }) {
  const { api, texts, language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<ProjectRole>('support');
  const submit = useSubmit<InvitationView>();
  const invite = async () => {
    if ((await submit.send(() => api.inviteMember({ email, role }))) === null) return;
    setEmail('');
    await onInvited();
  };
  const refusal = refusalOf(submit.problem, words);
  return (
    <Form
      testId="invite-form"
      problem={refusal === undefined ? submit.problem : null}
      hasInputError={refusal !== undefined}
      onSubmit={() => void invite()}
    >
      <TextInput
        id="invite_email"
        label={words.email}
        type="email"
        value={email}
        error={refusal ?? fieldError(submit.problem, 'email', texts)}
        onValue={(value) => {
          setEmail(value);
          submit.reset();
        }}
      />
      <RoleChoice id="invite_role" value={role} onValue={setRole} />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="invited">
          {words.sent(isolated(submit.value.email))}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="invite-submit">
        {words.submit}
      </SubmitButton>
    </Form>
  );
}

/** Why the address cannot be invited; undefined for other problems. Pure. */
function refusalOf(
  problem: ApiProblem | null,
  { alreadyMember, full }: (typeof MEMBERS_TEXTS)['en'],
): string | undefined {
  if (problem?.code === 'already_member') return alreadyMember;
  return problem?.code === 'too_many_members' ? full : undefined;
}
