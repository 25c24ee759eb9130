import type { ProjectView } from '@paywatch/domain/contract';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { DONOR_TEXTS_TEXTS } from './donor-texts-texts.ts';

/** How long the names and messages of donors are kept. */
export function DonorTextsPanel() {
  const words = DONOR_TEXTS_TEXTS[useSignedInAccount().language];
  return (
    <Panel title={words.heading} testId="donor-texts">
      <p class="quiet">{words.hint}</p>
      <DonorTextsForm />
    </Panel>
  );
}

function DonorTextsForm() {
  const { api, me, language, refresh } = useSignedInAccount();
  const words = DONOR_TEXTS_TEXTS[language];
  const [typed, setTyped] = useState(me.project.donor_texts_days?.toString() ?? '');
  const [isRefused, setRefused] = useState(false);
  const submit = useSubmit<ProjectView>();
  const save = async () => {
    const days = daysIn(typed);
    setRefused(days === undefined);
    if (days === undefined) return;
    if ((await submit.send(() => api.updateProject({ donor_texts_days: days }))) !== null) await refresh();
  };
  return (
    <Form
      testId="donor-texts-form"
      problem={submit.problem}
      hasInputError={isRefused}
      onSubmit={() => void save()}
    >
      <TextInput
        id="donor_texts_days"
        label={words.label}
        hint={words.labelHint}
        value={typed}
        error={isRefused ? words.refused : undefined}
        onValue={(value) => {
          setTyped(value);
          submit.reset();
        }}
      />
      <p class="quiet">{words.warning}</p>
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="donor-texts-saved">
          {words.saved}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="donor-texts-save">
        {words.save}
      </SubmitButton>
    </Form>
  );
}

/** The typed number of days; null for none, undefined for what is not a number within the limits. Pure. */
function daysIn(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const { min, max } = SETTING_LIMITS.donorTextsDays;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return days >= min && days <= max ? days : undefined;
}
