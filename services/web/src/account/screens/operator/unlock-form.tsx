import type { OperatedAccountDetails } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import type { AccountProps } from './account-props.ts';
import { isRefused } from './is-refused.ts';

/** Lets the owner try to log in again. */
export function UnlockForm({ operator, words, account, onChanged }: AccountProps) {
  const [reason, setReason] = useState('');
  const submit = useSubmit<OperatedAccountDetails>();
  const isRefusedReason = isRefused(submit.problem);
  const unlock = async () => {
    const changed = await submit.send(() => operator.unlock(account.account_id, reason));
    if (changed === null) return;
    setReason('');
    onChanged(changed);
  };
  return (
    <Form
      testId="unlock-form"
      problem={isRefusedReason ? null : submit.problem}
      hasInputError={isRefusedReason}
      onSubmit={() => void unlock()}
    >
      <p>{words.unlock.lead}</p>
      <TextInput
        id="reason"
        label={words.unlock.reason}
        hint={words.unlock.hint}
        value={reason}
        error={isRefusedReason ? words.unlock.needed : undefined}
        onValue={(value) => {
          setReason(value);
          submit.reset();
        }}
      />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="unlocked">
          {words.unlock.done}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="unlock-submit">
        {words.unlock.set}
      </SubmitButton>
    </Form>
  );
}
