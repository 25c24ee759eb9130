import { useState } from 'preact/hooks';
import { Icon } from '../../../ui/icons.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Panel, Screen } from '../../parts/panel.tsx';
import { START_STEPS, type StartStep } from '../../app/route.ts';
import { countDone, nextStep } from '../../app/setup.ts';
import { dismissOnboarding } from './onboarding-dismissed.ts';
import { StepTask } from './step-task.tsx';

const StepSample = lazy(async () => (await import('./step-sample.tsx')).StepSample);

/** The guided setup: the list of steps, the task of one step, and the API call that does the same. */
export function StartScreen({ step }: { step: StartStep | null }) {
  const { texts, setup } = useSignedInAccount();
  // Chosen once: otherwise completing a step would replace its secret with the next step.
  const [first] = useState(() => nextStep(setup) ?? 'invoice');
  const shown = step ?? first;
  const words = texts.start;
  return (
    <Screen title={words.heading} testId="start">
      <p>{words.lead}</p>
      <StepList shown={shown} />
      {nextStep(setup) === null ? (
        <Notice tone="calm" icon="check" testId="all-done">
          {words.allDone}
        </Notice>
      ) : null}
      <Step step={shown} />
      <p>
        <a class="link" href="/account" data-testid="start-leave" onClick={dismissOnboarding}>
          {words.skip}
        </a>
      </p>
    </Screen>
  );
}

function StepList({ shown }: { shown: StartStep }) {
  const { texts, setup } = useSignedInAccount();
  const words = texts.start;
  return (
    <nav aria-label={words.progress(countDone(setup), START_STEPS.length)}>
      <ol class="path" data-testid="start-steps">
        {START_STEPS.map((step, index) => (
          <li key={step} class="path__step" data-done={setup[step]}>
            <a
              class="path__link"
              href={`/account/start/${step}`}
              data-testid={`step-${step}`}
              data-done={setup[step]}
              {...(step === shown ? { 'aria-current': 'step' } : {})}
            >
              <span class="path__mark">{setup[step] ? <Icon name="check" /> : index + 1}</span>
              <span class="path__title">{words.steps[step].title}</span>
              <span class="visually-hidden">{setup[step] ? words.done : words.open}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({ step }: { step: StartStep }) {
  const { texts, setup, me } = useSignedInAccount();
  const words = texts.start;
  const following = START_STEPS[START_STEPS.indexOf(step) + 1];
  const currency = me.project.wallets[0]?.currency ?? 'BTC';
  return (
    <>
      <Panel title={words.steps[step].title} testId={`start-${step}`}>
        <p>{words.steps[step].detail}</p>
        <StepTask step={step} />
        {setup[step] && following !== undefined ? (
          <a class="button button--main" href={`/account/start/${following}`} data-testid="next-step">
            {texts.common.next}
          </a>
        ) : null}
      </Panel>
      <StepSample step={step} currency={currency} />
    </>
  );
}
