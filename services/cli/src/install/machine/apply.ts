import { describeStep, type Step } from '../plan/step.ts';
import { handlerOf } from './handlers.ts';
import type { Machine } from './machine.ts';

/** What `apply` did, or with `isDryRun` would do, one line each. */
export type Changes = string[];

/** Steps whose units are restarted after the step changed something. */
function affectedBy(step: Step): readonly string[] {
  return 'affects' in step ? step.affects : [];
}

/**
 * Makes every step of a plan true that is not, in order. `report` gets a line for each change before it is made. Running it again
 * changes nothing; after a failure, running it again continues.
 */
export function apply(
  steps: readonly Step[],
  machine: Machine,
  { isDryRun, report }: { isDryRun: boolean; report: (line: string) => void },
): Changes {
  const changes: Changes = [];
  const stale = new Set<string>();
  for (const step of steps) {
    const handler = handlerOf(step, machine);
    if (!handler.isDone()) {
      note(describeStep(step));
      for (const unit of affectedBy(step)) stale.add(unit);
      if (!isDryRun) handler.make();
      // A unit that was just started has read the current files, so it needs no restart.
      if (step.kind === 'unit') stale.delete(step.name);
    } else if (step.kind === 'unit' && stale.delete(step.name)) restart(step.name);
  }
  for (const unit of stale)
    if (machine.ask('systemctl', ['is-active', '--quiet', unit]).isSuccess) restart(unit);
  return changes;

  function restart(unit: string): void {
    note(`restart ${unit}, because its settings changed`);
    if (isDryRun) return;
    machine.run('systemctl', ['daemon-reload']);
    machine.run('systemctl', ['restart', unit]);
  }

  function note(line: string): void {
    changes.push(line);
    report(line);
  }
}
