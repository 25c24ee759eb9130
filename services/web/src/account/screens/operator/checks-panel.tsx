import type { OperatorOverview } from '@paywatch/domain/contract';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import type { OperatorTexts } from './operator-texts.ts';

type Finding = OperatorOverview['findings'][number];
type Props = { findings: readonly Finding[]; words: OperatorTexts['checks'] };

/** The checks of `paywatch doctor`: those that need attention first, the passed ones on request. */
export function ChecksPanel({ findings, words }: Props) {
  const passed = findings.filter(({ status }) => status === 'ok');
  const others = findings.filter(({ status }) => status !== 'ok');
  return (
    <Panel title={words.heading} testId="checks">
      <p class="quiet">{words.lead}</p>
      {others.length === 0 ? <p>{words.allPassed}</p> : <Findings findings={others} words={words} />}
      {passed.length === 0 ? null : (
        <details class="more">
          <summary data-testid="passed-checks">{words.passed(passed.length)}</summary>
          <Findings findings={passed} words={words} />
        </details>
      )}
    </Panel>
  );
}

const TONES: Readonly<Record<Finding['status'], Tone>> = {
  ok: 'done',
  warning: 'waiting',
  failed: 'act',
  skipped: 'calm',
};

/** The texts are those of the command line, which are English. */
function Findings({ findings, words }: Props) {
  return (
    <Table
      label={words.heading}
      testId="findings"
      rows={findings}
      keyOf={({ check }) => check}
      columns={[
        [words.check, ({ check }) => <span lang="en">{check}</span>],
        [words.result, ({ status }) => <Badge tone={TONES[status]}>{words.results[status]}</Badge>],
        [words.detail, ({ detail }) => <span lang="en">{detail}</span>],
        [words.advice, ({ advice }) => (advice === null ? '–' : <span lang="en">{advice}</span>)],
      ]}
    />
  );
}
