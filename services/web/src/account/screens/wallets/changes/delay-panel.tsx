import type { ProjectView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Form, Select, SubmitButton } from '../../../parts/form/form.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { CHANGES_TEXTS } from './changes-texts.ts';
import { durationText } from './duration-text.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const CHOICES = [0, HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY];

/** How long new wallets wait, for the owner to lengthen. */
export function DelayPanel() {
  const { api, texts, me, language, refresh } = useSignedInAccount();
  const { seconds, minimum_seconds: minimum } = me.project.wallet_change_delay;
  const [chosen, setChosen] = useState(String(seconds));
  const submit = useSubmit<ProjectView>();
  const words = CHANGES_TEXTS[language];
  const save = async () => {
    if ((await submit.send(() => api.updateWalletChangeDelay(Number(chosen)))) !== null) await refresh();
  };
  return (
    <Panel title={words.heading} testId="wallet-delay">
      <p class="quiet">{words.lead}</p>
      <Form testId="delay-form" problem={submit.problem} onSubmit={() => void save()}>
        <Select
          id="delay"
          label={words.label}
          value={chosen}
          options={choicesFrom(minimum, seconds).map((choice) => [
            String(choice),
            durationText(choice, language),
          ])}
          onValue={(value) => {
            setChosen(value);
            submit.reset();
          }}
        />
        <p class="hint">{words.hint}</p>
        {submit.value === null ? null : (
          <Notice tone="calm" icon="check" testId="delay-saved">
            {texts.common.saved}
          </Notice>
        )}
        <SubmitButton isBusy={submit.isBusy} testId="delay-save">
          {words.save}
        </SubmitButton>
      </Form>
    </Panel>
  );
}

/** The usual delays that are not below the deployment's, this one and the present one. */
function choicesFrom(minimum: number, present: number): number[] {
  const choices = new Set([minimum, present, ...CHOICES.filter((choice) => choice > minimum)]);
  return [...choices].toSorted((a, b) => a - b);
}
