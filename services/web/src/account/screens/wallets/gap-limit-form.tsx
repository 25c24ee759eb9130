import type { WalletStateView, WalletView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSubmit } from '../../api/use-submit.ts';
import { fieldError } from '../../api/problem-message.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { Result } from '../../parts/form/result.tsx';

/** Changes the gap limit of a verified wallet, in a section that opens on demand. */
export function GapLimitForm({ wallet }: { wallet: WalletStateView }) {
  const { api, texts, refresh } = useSignedInAccount();
  const [limit, setLimit] = useState(String(wallet.gap_limit));
  const submit = useSubmit<WalletView>();
  const words = texts.wallets;
  const save = async () => {
    if ((await submit.send(() => api.updateWallet(wallet.currency, Number(limit)))) !== null) await refresh();
  };
  return (
    <details class="more" data-testid={`gap-limit-${wallet.currency}`}>
      <summary>{words.gapLimitChange}</summary>
      <Form testId="gap-limit-form" problem={submit.problem} onSubmit={() => void save()}>
        <TextInput
          id={`gap_limit_${wallet.currency}`}
          label={words.gapLimit}
          hint={words.gapHint}
          type="number"
          value={limit}
          error={fieldError(submit.problem, 'gap_limit', texts)}
          onValue={setLimit}
        />
        <SubmitButton isBusy={submit.isBusy} testId="gap-limit-submit">
          {words.gapLimitSave}
        </SubmitButton>
      </Form>
      {submit.value === null ? null : (
        <Result>
          <Notice tone="calm" icon="check" testId="gap-limit-saved">
            {words.gapLimitSaved(submit.value.gap_limit)}
          </Notice>
        </Result>
      )}
    </details>
  );
}
