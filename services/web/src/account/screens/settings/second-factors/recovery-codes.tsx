import { useSignedInAccount } from '../../../app/account-context.ts';
import { SecretBox } from '../../../parts/secret-box.tsx';
import { SECOND_FACTORS_TEXTS } from './second-factors-texts.ts';

type RecoveryCodesProps = { codes: readonly string[]; onKept: () => void };

/** New recovery codes, until the owner confirms that they are stored. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  return (
    <>
      <h3 class="panel__title">{texts.codesHeading}</h3>
      <p>{texts.codesLead}</p>
      <SecretBox label={texts.codes} value={codes.join('\n')} testId="recovery-codes" />
      <div class="buttons">
        <button type="button" class="button" data-testid="codes-kept" onClick={onKept}>
          {texts.codesKept}
        </button>
      </div>
    </>
  );
}
