import { pause, systemClock } from '@paywatch/runtime/process';
import { requestRescan, type Rescan } from '@paywatch/store/chain';
import { findDecision, queueDecisionAgain, type QueuedInvoice } from '@paywatch/store/invoices';
import type { Database } from '@paywatch/store/postgres';
import type { Command } from 'commander';
import { invoiceArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { followRescan, rescanJson } from '../../follow-rescan.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { blocks, fields } from '../../terminal/text.ts';

/** Watchers take queued decisions about once a second. */
const TIMEOUT_MS = 15_000;
const POLL_MS = 200;

/** `paywatch invoices recheck` */
export function addRecheckCommand(group: Command, line: CommandLine): void {
  group
    .command('recheck')
    .description('decide the status of an invoice again')
    .addArgument(invoiceArgument())
    .option('--chain', 'first scan the mempool and all blocks since the invoice was created')
    .addHelpText(
      'after',
      examples([
        ['paywatch invoices recheck inv_8yXq3mJ2NdPz5KcVh7RtWb', 'decide from the recorded payments'],
        [
          'paywatch invoices recheck inv_8yXq3mJ2NdPz5KcVh7RtWb --chain',
          'when a payment seems to be missing',
        ],
      ]) +
        '\nThe invoice changes only if a payment was missed, and no event is sent twice. --chain fails if a pruned node no' +
        '\nlonger has the blocks. Reads DATABASE_URL.\n',
    )
    .action(
      line.action((publicId: string, options: { chain?: true }) =>
        recheck(line, publicId, options.chain === true),
      ),
    );
}

async function recheck(line: CommandLine, publicId: string, withRescan: boolean): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const before = await queueAgain(database, publicId);
    const rescan = withRescan ? await readChain(line, database, before) : null;
    // Queued again: the first decision may have been made before the rescan ended.
    if (rescan !== null) await queueAgain(database, publicId);
    const after = await waitForDecision(line, database, before.invoiceId);
    return recheckAnswer(publicId, before, after, rescan);
  });
}

async function queueAgain({ sql }: Database, publicId: string): Promise<QueuedInvoice> {
  const invoice = await queueDecisionAgain(sql, publicId);
  if (invoice === null) throw new CommandFailure(`There is no invoice ${publicId}.`);
  return invoice;
}

async function readChain(
  line: CommandLine,
  database: Database,
  { currency, createdAt }: QueuedInvoice,
): Promise<Rescan> {
  const id = await requestRescan(database.sql, currency, { time: createdAt });
  return followRescan(line, database, id, true);
}

type Decision = Awaited<ReturnType<typeof findDecision>>;

async function waitForDecision(line: CommandLine, { sql }: Database, invoiceId: bigint): Promise<Decision> {
  const untilMs = systemClock.nowMs() + TIMEOUT_MS;
  for (;;) {
    const decision = await findDecision(sql, invoiceId);
    if (!decision.isQueued) return decision;
    if (decision.fault !== null)
      throw new CommandFailure(
        `Deciding the invoice failed: ${decision.fault}.`,
        'The invoice is parked. See `paywatch invoices parked`.',
      );
    if (systemClock.nowMs() > untilMs)
      throw new CommandFailure(
        'The decision is queued, but no watcher picked it up within 15 seconds.',
        'It is made as soon as a watcher runs. See `paywatch chain status`.',
      );
    line.showProgress('Waiting for a watcher');
    await pause(POLL_MS);
  }
}

function recheckAnswer(
  publicId: string,
  before: QueuedInvoice,
  after: Decision,
  rescan: Rescan | null,
): Answer {
  const changed = after.version !== before.version;
  return {
    json: {
      public_id: publicId,
      previous_status: before.status,
      status: after.status,
      previous_version: before.version,
      version: after.version,
      changed,
      rescan: rescan && rescanJson(rescan),
    },
    text: blocks(
      rescan === null ? '' : rescanText(rescan),
      changed
        ? `${publicId} is now ${after.status} (version ${after.version}); it was ${before.status} (version ${before.version}).`
        : `${publicId} is still ${after.status}. No payment was missed.`,
    ),
  };
}

function rescanText({ range, matched }: Rescan): string {
  return fields([
    ['Blocks scanned', range && `${range.from} to ${range.to}`],
    ['Matching transactions', matched],
  ]);
}
