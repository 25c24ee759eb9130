import { useState } from 'preact/hooks';
import type { ApiProblem } from '../../api/api-call.ts';
import { useAccount } from '../../app/account-context.ts';
import { TextInput } from '../../parts/form/form.tsx';
import { OPERATOR_CODE_TEXTS } from './operator-code-texts.ts';

type Props = { value: string; problem: ApiProblem | null; onValue: (code: string) => void };

/** The field of the operator code: shown by a button, or at once for a link of the installer, which ends in `#operator`. */
export function OperatorCode({ value, problem, onValue }: Props) {
  const isRefused = problem?.errors.some(({ path }) => path === 'body.operator_code') === true;
  const words = OPERATOR_CODE_TEXTS[useAccount().language];
  const [isOpen, setOpen] = useState(location.hash === '#operator');
  const [wasOpened, setOpened] = useState(false);
  if (!isOpen)
    return (
      <p>
        <button
          type="button"
          class="button button--small"
          data-testid="operator-code-open"
          onClick={() => {
            setOpen(true);
            setOpened(true);
          }}
        >
          {words.open}
        </button>
      </p>
    );
  return (
    <TextInput
      id="operator_code"
      label={words.label}
      hint={words.hint}
      isOptional
      isMono
      value={value}
      error={isRefused ? words.refused : undefined}
      takesFocus={wasOpened}
      onValue={onValue}
    />
  );
}
