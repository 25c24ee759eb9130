import type { PasskeyAssertion, PasskeyRequestView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../ui/notice.tsx';
import type { ApiProblem, ApiResult } from '../api/api-call.ts';
import { useAccount } from '../app/account-context.ts';
import { ProblemNotice } from '../parts/form/form.tsx';
import { PASSKEY_TEXTS } from './passkey-texts.ts';

type PasskeyButtonProps<Value> = {
  label: 'logIn' | 'use';
  /** Gets the options. */
  start: () => Promise<ApiResult<PasskeyRequestView>>;
  /** Sends the response of the passkey. */
  finish: (passkey: PasskeyAssertion) => Promise<ApiResult<Value>>;
  onDone: (value: Value) => void;
  testId: string;
};

/** What happened last: an error of the API, or no passkey. */
type Failure = ApiProblem | 'none' | null;

/** Uses a passkey when it is pressed. The browser's library is loaded then. */
export function PasskeyButton<Value>(props: PasskeyButtonProps<Value>) {
  const { language } = useAccount();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>(null);
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    const failed = await runPasskey(props);
    setBusy(false);
    setFailure(failed);
  };
  return (
    <>
      <FailureNotice failure={failure} />
      <div class="buttons passkey">
        <button
          type="button"
          class="button"
          data-testid={props.testId}
          aria-busy={isBusy}
          onClick={() => void press()}
        >
          {PASSKEY_TEXTS[language][props.label]}
        </button>
      </div>
    </>
  );
}

/** Null if the passkey was accepted. */
async function runPasskey<Value>({ start, finish, onDone }: PasskeyButtonProps<Value>): Promise<Failure> {
  const started = await start();
  if (!started.ok) return started.problem;
  const passkeys = await import('./ask-passkey.ts').catch(() => null);
  const answer = await passkeys?.askPasskey(started.value.options);
  if (answer === undefined || typeof answer === 'string') return 'none';
  const finished = await finish(answer);
  if (!finished.ok) return finished.problem;
  onDone(finished.value);
  return null;
}

function FailureNotice({ failure }: { failure: Failure }) {
  const { language } = useAccount();
  if (failure === null) return null;
  const word = failure === 'none' ? failure : OWN_WORDS[failure.code];
  if (word === undefined) return <ProblemNotice problem={failure as ApiProblem} />;
  return (
    <Notice tone="act" testId="passkey-failed">
      {PASSKEY_TEXTS[language][word]}
    </Notice>
  );
}

/** Codes whose texts say what to do with a passkey. */
const OWN_WORDS: Partial<Record<ApiProblem['code'], 'wrong' | 'expired'>> = {
  invalid_passkey: 'wrong',
  challenge_expired: 'expired',
};
