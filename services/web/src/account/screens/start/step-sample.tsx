import { CodeTabs } from '../../parts/code-tabs.tsx';
import { codeSamples } from './code-samples.ts';
import type { StartStep } from '../../app/route.ts';

/** The API call that does the same as a step of the guided setup. */
export function StepSample({ step, currency }: { step: StartStep; currency: string }) {
  return <CodeTabs sample={codeSamples({ origin: location.origin, currency })[step]} />;
}
