import type { FactorView } from '@paywatch/domain/contract';
import { useId, useRef, useState } from 'preact/hooks';
import { fieldError } from '../../../api/problem-message.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Form, TextInput } from '../../../parts/form/form.tsx';
import { SECOND_FACTORS_TEXTS } from './second-factors-texts.ts';

/** Renames a factor in a dialog. */
export function RenameFactor({ factor, onRenamed }: { factor: FactorView; onRenamed: () => void }) {
  const { api, texts: shared, language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [name, setName] = useState(factor.name);
  const submit = useSubmit<FactorView>();
  const rename = async () => {
    if ((await submit.send(() => api.renameSecondFactor(factor.factor_id, name))) === null) return;
    dialog.current?.close();
    onRenamed();
  };
  return (
    <>
      <button
        type="button"
        class="button button--small"
        data-testid="rename-factor"
        onClick={() => dialog.current?.showModal()}
      >
        {texts.rename}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby={titleId} data-testid="rename-dialog">
        <h2 class="dialog__title" id={titleId}>
          {texts.renameTitle(factor.name)}
        </h2>
        <Form testId="rename-form" problem={submit.problem} onSubmit={() => void rename()}>
          <TextInput
            id={`factor_name_${factor.factor_id}`}
            label={texts.newName}
            value={name}
            error={fieldError(submit.problem, 'name', shared)}
            onValue={setName}
          />
          <div class="dialog__buttons">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              {shared.common.cancel}
            </button>
            <button type="submit" class="button button--main" data-testid="rename-submit">
              {texts.rename}
            </button>
          </div>
        </Form>
      </dialog>
    </>
  );
}
