import type { FactorList, FactorView, RecoveryCodesView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Moment } from '../../../../ui/moment.tsx';
import { useLoad, type Loaded } from '../../../api/use-load.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../../parts/form/form.tsx';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { AddFactor } from './add-factor.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RenameFactor } from './rename-factor.tsx';
import { SECOND_FACTORS_TEXTS } from './second-factors-texts.ts';

/** The authenticator apps and passkeys of the account, and its recovery codes. */
export function SecondFactorsPanel() {
  const { api, language } = useSignedInAccount();
  const loaded = useLoad(() => api.listSecondFactors(), [api]);
  return (
    <Panel title={SECOND_FACTORS_TEXTS[language].heading} testId="second-factors">
      <WhenLoaded loaded={loaded}>
        {(list) => <SecondFactors list={list} reload={loaded.reload} />}
      </WhenLoaded>
    </Panel>
  );
}

type SecondFactorsProps = { list: FactorList; reload: Loaded<FactorList>['reload'] };

function SecondFactors({ list, reload }: SecondFactorsProps) {
  const { language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const change = useChange(reload, setCodes);
  const isOn = list.data.length > 0;
  return (
    <>
      <p data-testid="second-factors-state">{isOn ? texts.on : texts.off}</p>
      <ProblemNotice problem={change.problem} />
      {list.data.map((factor) => (
        <Factor
          key={factor.factor_id}
          factor={factor}
          onRenamed={() => void reload()}
          onRemove={() => void change.remove(factor)}
        />
      ))}
      {codes === null ? null : <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
      {isOn ? (
        <div class="lines__line">
          <span data-testid="codes-left">{texts.codesLeft(list.recovery_codes_left)}</span>
          <ConfirmButton
            question={texts.replaceAsk}
            detail={texts.replaceDetail}
            testId="replace-codes"
            onConfirm={() => void change.replaceCodes()}
          >
            {texts.replace}
          </ConfirmButton>
        </div>
      ) : null}
      <AddFactor
        onAdded={(fresh) => {
          setCodes(fresh);
          void reload();
        }}
      />
    </>
  );
}

/** Removes a factor, or replaces the recovery codes. */
function useChange(reload: () => Promise<void>, onCodes: (codes: readonly string[] | null) => void) {
  const { api } = useSignedInAccount();
  const submit = useSubmit<unknown>();
  return {
    problem: submit.problem,
    remove: async ({ factor_id: id }: FactorView) => {
      if ((await submit.send(() => api.removeSecondFactor(id))) === null) return;
      onCodes(null);
      await reload();
    },
    replaceCodes: async () => {
      const replaced = (await submit.send(() => api.replaceRecoveryCodes())) as RecoveryCodesView | null;
      if (replaced === null) return;
      onCodes(replaced.recovery_codes);
      await reload();
    },
  };
}

type FactorProps = { factor: FactorView; onRenamed: () => void; onRemove: () => void };

function Factor({ factor, onRenamed, onRemove }: FactorProps) {
  const { language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  const { name, kind, last_used_at: usedAt } = factor;
  return (
    <div class="lines__line" data-testid="second-factor">
      <span>
        <strong>{name}</strong>{' '}
        <span class="quiet">
          {texts.kinds[kind]},{' '}
          {usedAt === null ? (
            texts.neverUsed
          ) : (
            <>
              {texts.lastUsed} <Moment at={usedAt} language={language} />
            </>
          )}
        </span>
      </span>
      <span class="buttons">
        <RenameFactor factor={factor} onRenamed={onRenamed} />
        <ConfirmButton
          question={texts.removeAsk(name)}
          detail={kind === 'passkey' ? texts.removePasskeyDetail : texts.removeDetail}
          testId="remove-factor"
          onConfirm={onRemove}
        >
          {texts.remove}
        </ConfirmButton>
      </span>
    </div>
  );
}
