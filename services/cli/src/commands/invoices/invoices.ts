import { buildOwnerView } from '@paywatch/domain/invoices';
import { findProjectEmail } from '@paywatch/store/accounts';
import { loadSnapshotsByPublicId, type StoredSnapshot } from '@paywatch/store/invoices';
import type { Database } from '@paywatch/store/postgres';
import { getEvent, listEvents, type EventDetail } from '@paywatch/store/webhooks';
import type { Command } from 'commander';
import { invoiceArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readInvoiceConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { examples } from '../../terminal/help.ts';
import { invoiceText } from '../../terminal/invoice-text.ts';
import { buildTimeline } from '../../terminal/invoice-timeline.ts';
import { withDatabase } from '../../open-store.ts';
import { snapshotSettings } from '../../snapshot-settings.ts';
import { addParkedCommands } from './invoices-parked.ts';
import { addRecheckCommand } from './invoice-recheck.ts';

/** An invoice gets one event per late transaction, so only an attack exceeds this. */
const MAX_EVENTS = 200;

/** `paywatch invoices …` */
export function addInvoiceCommands(program: Command, line: CommandLine): void {
  const group = program.command('invoices').description('invoices and their history');
  group
    .command('show')
    .description('show an invoice as its owner sees it, with its history')
    .addArgument(invoiceArgument())
    .addHelpText(
      'after',
      examples([
        ['paywatch invoices show inv_8yXq3mJ2NdPz5KcVh7RtWb', 'payments, status and webhooks, oldest first'],
      ]) + '\nReads DATABASE_URL, PUBLIC_URL, TOLERANCE_BPS, BTC_NETWORK and LTC_NETWORK, as the API does.\n',
    )
    .action(line.action((publicId: string) => show(line.env, publicId)));
  addRecheckCommand(group, line);
  addParkedCommands(group, line);
}

async function show(env: Env, publicId: string): Promise<Answer> {
  const config = readInvoiceConfig(env);
  const settings = snapshotSettings(config);
  return withDatabase(config, async (database) => {
    const [snapshot] = await loadSnapshotsByPublicId(database.sql, [publicId], settings);
    if (!snapshot) throw new CommandFailure(`There is no invoice ${publicId}.`);
    const email = await findProjectEmail(database, snapshot.projectId);
    return invoiceAnswer(email, snapshot, await readEvents(database, snapshot));
  });
}

async function readEvents(
  database: Database,
  { projectId, publicId }: StoredSnapshot,
): Promise<EventDetail[]> {
  const summaries = await listEvents(database, projectId, { invoicePublicId: publicId, limit: MAX_EVENTS });
  const events: EventDetail[] = [];
  for (const summary of summaries.toReversed()) {
    const event = await getEvent(database, projectId, summary.publicId);
    if (event !== null) events.push(event);
  }
  return events;
}

function invoiceAnswer(email: string, snapshot: StoredSnapshot, events: readonly EventDetail[]): Answer {
  const invoice = buildOwnerView(snapshot);
  const timeline = buildTimeline(snapshot, invoice, events);
  return {
    json: { account: email, invoice, timeline },
    text: invoiceText(email, invoice, timeline),
  };
}
