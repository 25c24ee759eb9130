import type { OperatedAccountDetails } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import type { AccountProps } from './account-props.ts';
import { isRefused } from './is-refused.ts';

/** Sets how many derived addresses the account may hold, before payments raise that. */
export function AddressLimitForm({ operator, words, account, onChanged }: AccountProps) {
  const [text, setText] = useState('');
  const submit = useSubmit<OperatedAccountDetails>();
  const isRefusedNumber = isRefused(submit.problem);
  const { own_limit: own } = account.addresses;
  const set = async () => {
    const addresses = text.trim() === '' ? null : Number(text);
    const changed = await submit.send(() => operator.setAddressLimit(account.account_id, addresses));
    if (changed !== null) onChanged(changed);
  };
  return (
    <Form
      testId="limit-form"
      problem={isRefusedNumber ? null : submit.problem}
      hasInputError={isRefusedNumber}
      onSubmit={() => void set()}
    >
      <TextInput
        id="addresses"
        label={words.limit.own}
        hint={words.limit.hint(own === null ? words.limit.byDefault : String(own))}
        type="number"
        value={text}
        error={isRefusedNumber ? words.limit.range : undefined}
        onValue={(value) => {
          setText(value);
          submit.reset();
        }}
      />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="limit-set">
          {words.limit.done}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="limit-submit">
        {words.limit.set}
      </SubmitButton>
      <p class="quiet">{words.account.audited}</p>
    </Form>
  );
}
