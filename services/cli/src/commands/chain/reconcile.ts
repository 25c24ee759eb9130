import type { Currency } from '@paywatch/domain/values';
import { pause } from '@paywatch/runtime/process';
import { loadChainStatuses } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';
import {
  listDifferences,
  loadReconciliation,
  requestReconciliation,
  type Reconciliation,
  type ReportedDifference,
} from '@paywatch/store/reconciliation';
import { Option, type Command } from 'commander';
import { parseCurrency, parseSince } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import { blocks, table } from '../../terminal/text.ts';

const POLL_MS = 500;
/** A longer list has one cause, such as a faulty release or backup. */
const MAX_LISTED = 1000;

type Options = { since?: Date; currency?: Currency; wait: boolean };

/** `paywatch reconcile` */
export function addReconcileCommand(program: Command, line: CommandLine): void {
  program
    .command('reconcile')
    .description('recompute open and recent invoices from the chain and list differences')
    .option('--since <moment>', 'invoices decided since this time (default: 30 days ago)', parseSince)
    .addOption(new Option('--currency <currency>', 'only this chain').argParser(parseCurrency))
    .option('--no-wait', 'do not wait until it is done')
    .addHelpText(
      'after',
      examples([
        ['paywatch reconcile', 'all chains, last 30 days'],
        ['paywatch reconcile --since 2026-11-01 --currency BTC', 'one chain, since that day (UTC)'],
      ]) +
        '\nWatchers read the blocks, from a second source if there is one, and continue if you interrupt the command. No' +
        '\ninvoice is changed. The exit code is 1 if there are differences. Reads DATABASE_URL.\n',
    )
    .action(line.action((options: Options) => reconcile(line, options)));
}

async function reconcile(line: CommandLine, { since, currency, wait }: Options): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const followed = [...(await loadChainStatuses(database)).keys()];
    const chains = followed.filter((each) => currency === undefined || each === currency);
    if (chains.length === 0) throw new CommandFailure('No watcher has followed this chain yet.');
    const ids: bigint[] = [];
    for (const chain of chains) ids.push(await requestReconciliation(database.sql, chain, since ?? null));
    const runs = wait ? await waitForEnd(line, database, ids) : await loadRuns(database, ids);
    const found: ReportedDifference[] = [];
    for (const { id } of runs) found.push(...(await listDifferences(database.sql, id, MAX_LISTED)));
    return answer(runs, found);
  });
}

async function waitForEnd(
  line: CommandLine,
  database: Pick<Database, 'sql'>,
  ids: readonly bigint[],
): Promise<Reconciliation[]> {
  for (;;) {
    const runs = await loadRuns(database, ids);
    if (runs.every(({ isEnded }) => isEnded)) return runs;
    line.showProgress(runs.map(progressText).join('  '));
    await pause(POLL_MS);
  }
}

function loadRuns({ sql }: Pick<Database, 'sql'>, ids: readonly bigint[]): Promise<Reconciliation[]> {
  return Promise.all(
    ids.map(async (id) => {
      const run = await loadReconciliation(sql, id);
      if (!run) throw new Error('reconciliation run not found');
      return run;
    }),
  );
}

function progressText({ currency, range, invoices, compared, isEnded, fault }: Reconciliation): string {
  const problem = fault === null ? '' : `  ${fault}`;
  if (isEnded) return `${currency}: done`;
  if (range === null) return `${currency}: waiting for a watcher${problem}`;
  if (range.next <= range.to)
    return `${currency}: blocks ${progressBar(range.next - range.from, range.to + 1 - range.from)}${problem}`;
  return `${currency}: invoices ${progressBar(compared, invoices)}${problem}`;
}

function answer(runs: readonly Reconciliation[], found: readonly ReportedDifference[]): Answer {
  return {
    json: { runs: runs.map(runJson), differences: found.map(differenceJson) },
    text: blocks(runsTable(runs), differencesTable(found)),
    hasProblem: runs.some(({ differences }) => differences > 0),
  };
}

function runJson({ id, since, range, ...run }: Reconciliation) {
  return {
    id: String(id),
    currency: run.currency,
    since: since.toISOString(),
    from_height: range?.from ?? null,
    to_height: range?.to ?? null,
    next_height: range?.next ?? null,
    sources: run.sources,
    invoices: run.invoices,
    compared: run.compared,
    differences: run.differences,
    unverifiable: run.unverifiable,
    ended: run.isEnded,
    fault: run.fault,
  };
}

function differenceJson({ publicId, checkedAt, source, ...difference }: ReportedDifference) {
  const { currency, kind, outpoint, expected, recorded } = difference;
  return {
    public_id: publicId,
    currency,
    kind,
    outpoint,
    expected,
    recorded,
    source,
    checked_at: checkedAt.toISOString(),
  };
}

function runsTable(runs: readonly Reconciliation[]): string {
  const headers = ['CHAIN', 'BLOCKS', 'SOURCE', 'COMPARED', 'DIFFERENCES', 'UNVERIFIABLE', 'ENDED'];
  const rows = runs.map(({ range, ...run }) => [
    run.currency,
    range === null ? null : `${range.from} to ${range.to}`,
    run.sources.join(', '),
    `${run.compared} of ${run.invoices}`,
    run.differences,
    run.unverifiable,
    run.isEnded,
  ]);
  return table(headers, rows, '');
}

function differencesTable(found: readonly ReportedDifference[]): string {
  const headers = ['INVOICE', 'KIND', 'EXPECTED', 'RECORDED', 'OUTPOINT', 'SOURCE', 'CHECKED'];
  const rows = found.map(({ publicId, kind, expected, recorded, outpoint, source, checkedAt }) => [
    publicId,
    kind,
    expected,
    recorded,
    outpoint,
    source,
    checkedAt,
  ]);
  return table(headers, rows, 'No differences.');
}
