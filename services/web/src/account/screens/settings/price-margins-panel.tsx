import type { ProjectView } from '@paywatch/domain/contract';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { basisPoints, percentText } from './percent.ts';

/** The margins on invoices with a price, in percent. */
export function PriceMarginsPanel() {
  const { texts } = useSignedInAccount();
  return (
    <Panel title={texts.settings.margins}>
      <p class="quiet">{texts.settings.marginsDetail}</p>
      <PriceMarginsForm />
    </Panel>
  );
}

function PriceMarginsForm() {
  const { api, texts, me, refresh } = useSignedInAccount();
  const words = texts.settings;
  const [margin, setMargin] = useState(percentText(me.project.price_margin_bps));
  const [longMargin, setLongMargin] = useState(percentText(me.project.long_price_margin_bps));
  const [isChecked, setChecked] = useState(false);
  const submit = useSubmit<ProjectView>();
  const typed = { margin: basisPoints(margin), long: basisPoints(longMargin) };
  const isValid = typeof typed.margin === 'number' && typed.long !== undefined;
  const save = async () => {
    setChecked(true);
    if (typeof typed.margin !== 'number' || typed.long === undefined) return;
    const body = { price_margin_bps: typed.margin, long_price_margin_bps: typed.long };
    if ((await submit.send(() => api.updateProject(body))) !== null) await refresh();
  };
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    submit.reset();
  };
  const error = words.malformedMargin(SETTING_LIMITS.priceMarginBps.max / 100);
  return (
    <Form
      testId="margins-form"
      problem={submit.problem}
      hasInputError={isChecked && !isValid}
      onSubmit={() => void save()}
    >
      <TextInput
        id="price_margin_bps"
        label={words.margin}
        value={margin}
        error={
          isChecked && typeof typed.margin !== 'number'
            ? error
            : fieldError(submit.problem, 'price_margin_bps', texts)
        }
        onValue={change(setMargin)}
      />
      <TextInput
        id="long_price_margin_bps"
        label={words.longMargin}
        hint={words.longMarginHint}
        value={longMargin}
        error={
          isChecked && typed.long === undefined
            ? error
            : fieldError(submit.problem, 'long_price_margin_bps', texts)
        }
        onValue={change(setLongMargin)}
      />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="margins-saved">
          {texts.common.saved}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="margins-save">
        {texts.common.save}
      </SubmitButton>
    </Form>
  );
}
