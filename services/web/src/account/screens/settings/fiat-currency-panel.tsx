import type { ProjectView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { fiatOptions } from '../../parts/form/fiat-currencies.ts';
import { Form, Select, SubmitButton } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';

/** The currency that accepted money is also shown in. */
export function FiatCurrencyPanel() {
  const { texts } = useSignedInAccount();
  return (
    <Panel title={texts.settings.fiat}>
      <p class="quiet">{texts.settings.fiatDetail}</p>
      <FiatCurrencyForm />
    </Panel>
  );
}

function FiatCurrencyForm() {
  const { api, texts, me, refresh } = useSignedInAccount();
  const { fiat_currency: saved } = me.project;
  const [currency, setCurrency] = useState(saved ?? '');
  const submit = useSubmit<ProjectView>();
  const save = async () => {
    const body = { fiat_currency: currency === '' ? null : currency };
    if ((await submit.send(() => api.updateProject(body))) !== null) await refresh();
  };
  return (
    <Form testId="fiat-form" problem={submit.problem} onSubmit={() => void save()}>
      <Select
        id="project_fiat_currency"
        label={texts.invoices.currency}
        hint={texts.settings.fiatHint}
        value={currency}
        error={fieldError(submit.problem, 'fiat_currency', texts)}
        options={[['', texts.settings.fiatNone] as const, ...fiatOptions(saved)]}
        onValue={(code) => {
          setCurrency(code);
          submit.reset();
        }}
      />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="fiat-saved">
          {texts.common.saved}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="fiat-save">
        {texts.common.save}
      </SubmitButton>
    </Form>
  );
}
