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

/** Watchers take what is queued about once a second. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 200;

/** `paywatch invoices recheck` */
export function addRecheckCommand(group: Command, line: CommandLine): void {
  group
    .command('recheck')
    .description('have the watchers decide an invoice again')
    .addArgument(invoiceArgument())
    .option('--chain', 'first read the mempool, and every block since the invoice was created, again')
    .addHelpText(
      'after',
      examples([
        ['paywatch invoices recheck inv_8yXq3mJ2NdPz5KcVh7RtWb', 'decide it from what is recorded'],
        ['paywatch invoices recheck inv_8yXq3mJ2NdPz5KcVh7RtWb --chain', 'a payment seems to be missing'],
      ]) +
        '\nDeciding again changes nothing where nothing was missed, and no event is sent twice. --chain goes as far back as the' +
        '\nnode has blocks: where a pruned one lacks some, it says so and fails. Reads DATABASE_URL.\n',
    )
    .action(
      line.action((publicId: string, options: { chain?: true }) =>
        recheck(line, publicId, options.chain === true),
      ),
    );
}

async function recheck(line: CommandLine, publicId: string, isChainRead: boolean): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const before = await queueAgain(database, publicId);
    const rescan = isChainRead ? await readChain(line, database, before) : null;
    // Once more: what was found may have been decided already, and a deadline have passed meanwhile.
    if (rescan !== null) await queueAgain(database, publicId);
    const after = await untilDecided(line, database, before.invoiceId);
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

async function untilDecided(line: CommandLine, { sql }: Database, invoiceId: bigint): Promise<Decision> {
  const untilMs = systemClock.nowMs() + PATIENCE_MS;
  for (;;) {
    const decision = await findDecision(sql, invoiceId);
    if (!decision.isQueued) return decision;
    if (decision.fault !== null)
      throw new CommandFailure(
        `The decision fails: ${decision.fault}.`,
        'The invoice is parked. See `paywatch invoices parked`.',
      );
    if (systemClock.nowMs() > untilMs)
      throw new CommandFailure(
        'The decision is queued, and no watcher has taken it within 15 seconds.',
        'It is taken as soon as one runs. See `paywatch chain status`.',
      );
    line.showProgress('Waiting for a watcher');
    await pause(LOOK_MS);
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
        ? `${publicId} is ${after.status} now, version ${after.version}; it was ${before.status}, version ${before.version}.`
        : `${publicId} is ${after.status}, as before: nothing was missed.`,
    ),
  };
}

function rescanText({ range, matched }: Rescan): string {
  return fields([
    ['Blocks read again', range && `${range.from} to ${range.to}`],
    ['Transactions of ours in them', matched],
  ]);
}
