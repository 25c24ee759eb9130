import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Answers } from '../../install/answers/answers.ts';
import { givenAnswers, parseAnswers } from '../../install/answers/read-answers.ts';
import { apply } from '../../install/machine/apply.ts';
import { replaceLink } from '../../install/machine/handlers.ts';
import { localMachine, type Machine } from '../../install/machine/machine.ts';
import { readFacts } from '../../install/machine/read-facts.ts';
import type { Facts } from '../../install/machine/facts.ts';
import { CURRENT, RELEASES } from '../../install/paths.ts';
import { planInstall } from '../../install/plan/plan-install.ts';
import {
  describeUpgradeStep,
  planReturn,
  planUpgrade,
  type UpgradeStep,
} from '../../install/plan/plan-upgrade.ts';
import type { FileStep, Step } from '../../install/plan/step.ts';
import { readOrGenerateSecrets } from '../../install/plan/secrets.ts';
import { waitUntilReady } from '../../install/wait-until-ready.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';
import { CommandFailure, explainFailure } from '../../terminal/failure.ts';

/** `paywatch upgrade` */
export function addUpgradeCommand(program: Command, line: CommandLine): void {
  program
    .command('upgrade')
    .description('change this machine to the release of this program; run by `install.sh upgrade`')
    .option('--dry-run', 'print what would happen, and change nothing')
    .addHelpText(
      'after',
      examples([['paywatch upgrade --dry-run', 'the steps; run by `sh install.sh upgrade --dry-run`']]) +
        `
Backs up, migrates, and restarts one process after the other. If one does not become ready, the program before is
started again. The database is never put back: migrations only add, and the backup lacks the latest payments.
`,
    )
    .action(line.action((options: { dryRun?: boolean }) => upgrade(line, options.dryRun ?? false)));
}

async function upgrade(line: CommandLine, isDryRun: boolean): Promise<Answer> {
  if (!isDryRun && process.getuid?.() !== 0) throw new CommandFailure('Run this command as root.');
  const facts = readFacts(fileURLToPath(import.meta.url));
  const previous = facts.installed;
  if (previous === null) throw new CommandFailure('Paywatch is not installed.', 'Run `sh install.sh`.');
  if (previous === facts.release) return upgradeAnswer([], `Release ${previous} is installed already.`);
  const answers = parseAnswers(givenAnswers({}));
  const steps = planUpgrade(facts.release, answers.backups !== null);
  if (isDryRun) return upgradeAnswer(steps, 'This would happen:');
  const machine = localMachine(line.env);
  await performOrReturn({ line, machine, steps, previous, answers, facts });
  return upgradeAnswer(steps, `Upgraded from ${previous} to ${facts.release}:`);
}

type Context = {
  line: CommandLine;
  machine: Machine;
  steps: readonly UpgradeStep[];
  previous: string;
  answers: Answers;
  facts: Facts;
};

/** Throws CommandFailure after it has returned to the program before. */
async function performOrReturn(context: Context): Promise<void> {
  const begun: UpgradeStep[] = [];
  const before = readFiles(settingsOf(context));
  try {
    for (const step of context.steps) {
      begun.push(step);
      await perform(context, step);
    }
  } catch (error) {
    const { message, advice } = explainFailure(error);
    const failed = await returnTo(context, before, planReturn(context.previous, begun));
    throw new CommandFailure(`${message} ${returnText(context.previous, failed)}`, advice);
  }
}

/** Puts back the settings and the program. Tries every step, and returns those that failed, each with its error. */
async function returnTo(context: Context, before: readonly FileStep[], steps: readonly UpgradeStep[]) {
  const failed: string[] = [];
  if (steps.length > 0) applySettings(before, context.machine);
  for (const step of steps)
    await perform(context, step).catch((error: unknown) =>
      failed.push(`${describeUpgradeStep(step)} (${explainFailure(error).message})`),
    );
  return failed;
}

function returnText(previous: string, failed: readonly string[]): string {
  return failed.length === 0
    ? `Release ${previous} runs again; the database may have gained tables and columns.`
    : `Returning to release ${previous} failed at: ${failed.join('; ')}.`;
}

async function perform(context: Context, step: UpgradeStep): Promise<void> {
  const { line, machine } = context;
  line.showProgress(describeUpgradeStep(step));
  switch (step.kind) {
    case 'backup':
      return void machine.run('systemctl', ['start', 'paywatch-backup.service']);
    case 'program':
      replaceLink(CURRENT, `${RELEASES}/${step.release}`);
      return writeSettings(context, step.release);
    case 'migrate':
      return void machine.run('systemctl', ['restart', 'paywatch-migrate.service']);
    case 'forget-migration':
      return void machine.run('systemctl', ['reset-failed', 'paywatch-migrate.service']);
    case 'restart':
      machine.run('systemctl', ['restart', step.unit]);
      return waitUntilReady(step.unit);
  }
}

/** Units and settings of the new release. Those of the release before are put back from what was read. */
function writeSettings(context: Context, release: string): void {
  if (release === context.facts.release) applySettings(settingsOf(context), context.machine);
}

function settingsOf({ answers, facts }: Context): Step[] {
  const kinds = ['packages', 'folder', 'file'];
  return planInstall(answers, facts, readOrGenerateSecrets()).filter(({ kind }) => kinds.includes(kind));
}

/** Without restarts: those are steps of their own. */
function applySettings(steps: readonly Step[], machine: Machine): void {
  const quiet = steps.map((step) => ('affects' in step ? { ...step, affects: [] } : step));
  apply(quiet, machine, { isDryRun: false, report: () => {} });
  machine.run('systemctl', ['daemon-reload']);
}

/** The files of a plan as they are now. */
function readFiles(steps: readonly Step[]): FileStep[] {
  return steps.flatMap((step) =>
    step.kind === 'file' && existsSync(step.path)
      ? [{ ...step, content: readFileSync(step.path, 'utf8') }]
      : [],
  );
}

function upgradeAnswer(steps: readonly UpgradeStep[], heading: string): Answer {
  const lines = steps.map(describeUpgradeStep);
  return { json: { steps: lines }, text: [heading, ...lines.map((text) => `  ${text}`)].join('\n') };
}
