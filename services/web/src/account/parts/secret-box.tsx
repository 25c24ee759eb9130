import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useAccount } from '../app/account-context.ts';
import { Result } from './form/result.tsx';

type SecretBoxProps = { label: string; value: string; hint?: string; testId: string };

/** A secret that is shown only once, with a warning. */
export function SecretBox({ label, value, hint, testId }: SecretBoxProps) {
  const { texts } = useAccount();
  return (
    <Result>
      <div class="secret">
        <p class="secret__warning">
          <Icon name="alert" />
          <span>{texts.common.shownOnce}</span>
        </p>
        <p class="label">{label}</p>
        <CopyField value={value} testId={testId} />
        {hint === undefined ? null : <p class="quiet">{hint}</p>}
      </div>
    </Result>
  );
}

/** A value with a copy button; one tap selects it. */
export function CopyField({ value, testId }: { value: string; testId: string }) {
  const { texts } = useAccount();
  return (
    <div class="copy-line">
      <code class="copy-line__value" dir="ltr" translate={false} data-testid={testId}>
        {value}
      </code>
      <CopyButton
        text={value}
        label={`${texts.common.copy}: ${value.slice(0, 24)}`}
        copiedLabel={texts.common.copied}
        testId={`${testId}-copy`}
      />
    </div>
  );
}
