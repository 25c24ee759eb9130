import type { Outcome } from '../runner/run-script.ts';

/** What a run of one script brought. `problem` is set where it did not reach its thresholds. */
export type ScriptReport = {
  name: string;
  about: string;
  seconds: number;
  outcomes: readonly Outcome[];
  problem: string | null;
};

export type LoadReport = {
  /** ISO 8601. */
  startedAt: string;
  machine: string;
  /** What ran the scripts. */
  runner: string;
  scripts: readonly ScriptReport[];
};

/** Whether the script ran to its end and missed no threshold. */
export function isPassed({ outcomes, problem }: ScriptReport): boolean {
  return problem === null && outcomes.every(({ verdict }) => verdict !== 'missed');
}

/** Formats a report as Markdown: a table of all scripts, and one of the thresholds of each. */
export function formatReport({ startedAt, machine, runner, scripts }: LoadReport): string {
  const passed = scripts.filter(isPassed).length;
  return [
    '# Load report',
    `${startedAt}, ${machine}. ${runner}`,
    `${passed} of ${scripts.length} scripts passed.`,
    table(['Script', 'Result', 'Thresholds met', 'Seconds'], scripts.map(summaryRow)),
    ...scripts.flatMap(section),
    '',
  ].join('\n\n');
}

function summaryRow(script: ScriptReport): string[] {
  const judged = script.outcomes.filter(({ verdict }) => verdict !== null);
  const met = judged.filter(({ verdict }) => verdict === 'met');
  const result = isPassed(script) ? 'passed' : '**failed**';
  return [script.name, result, `${met.length} of ${judged.length}`, script.seconds.toFixed(0)];
}

function section({ name, about, outcomes, problem }: ScriptReport): string[] {
  const rows = outcomes.map(({ threshold, measured, verdict }) => [
    `\`${threshold}\``,
    measured,
    verdict === 'missed' ? '**missed**' : (verdict ?? 'not judged'),
  ]);
  return [
    `## ${name}`,
    about,
    ...(problem === null ? [] : ['It did not run to its end:', `\`\`\`\n${problem}\n\`\`\``]),
    ...(rows.length === 0 ? [] : [table(['Threshold', 'Measured', 'Result'], rows)]),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
