import { eventTypeSchema } from '@paywatch/domain/contract';
import { pause } from '@paywatch/runtime/process';
import { byOperator } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import { findOverview } from '@paywatch/store/projects';
import {
  beginRedeliveries,
  countDueDeliveries,
  countRedeliverable,
  redeliverEvent,
  scheduleRedeliveries,
  type DeliveryStatus,
  type Redelivery,
  type RedeliveryRun,
} from '@paywatch/store/webhooks';
import { Option, type Command } from 'commander';
import { emailArgument, parseEventId, parseSince } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig } from '../../config.ts';
import { CommandFailure, UsageFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { progressBar } from '../../terminal/progress-bar.ts';

/** Scheduled by one statement; the next ones follow when fewer than this wait to be sent, so that new events wait behind few. */
const BATCH = 200;
const LOOK_MS = 500;

type Options = { since?: Date; until?: Date; event?: string; type?: string; all?: true; wait: boolean };

/** `paywatch events redeliver` */
export function addRedeliverCommand(group: Command, line: CommandLine): void {
  group
    .command('redeliver')
    .description('send events of an account again: one of them, or all that were not delivered since a time')
    .addArgument(emailArgument())
    .option('--since <moment>', 'written since a day (its beginning, UTC) or a moment', parseSince)
    .option('--until <moment>', 'and before a day (its beginning, UTC) or a moment', parseSince)
    .option('--event <event_id>', 'this one alone, whatever became of it', parseEventId)
    .addOption(new Option('--type <type>', 'of this type only').choices(eventTypeSchema.options))
    .option('--all', 'those that were delivered, too')
    .option('--no-wait', 'schedule everything at once, without waiting for the workers between batches')
    .addHelpText(
      'after',
      examples([
        ['paywatch events redeliver shop@example.com --since 2026-11-20', 'after an endpoint was down'],
        ['paywatch events redeliver shop@example.com --since 2026-11-20 --all', 'after a shop lost its data'],
        ['paywatch events redeliver shop@example.com --event evt_8yXq3mJ2NdPz5KcVh7RtWb', 'one event'],
      ]) +
        `
Receivers know repeated events by their id. Goes in batches of ${BATCH}, each as soon as the workers are nearly through the one
before. Safe to interrupt and to repeat: what waits to be sent is left alone, and of two runs at once one sends an event.
`,
    )
    .action(line.action((email: string, options: Options) => redeliver(line, email, options)));
}

async function redeliver(line: CommandLine, email: string, options: Options): Promise<Answer> {
  const { event, since } = options;
  if ((event === undefined) === (since === undefined))
    throw new UsageFailure('Give one of --since and --event.');
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    if (event !== undefined) return redeliverOne(database, projectId, email, event);
    const { webhook } = await findOverview(database, projectId);
    if (webhook === null) throw refusal(email, 'no_endpoint');
    if (webhook.status === 'disabled') throw refusal(email, 'endpoint_disabled');
    return redeliverSince(line, database, projectId, options);
  });
}

async function redeliverOne(
  database: Database,
  projectId: bigint,
  email: string,
  eventId: string,
): Promise<Answer> {
  const outcome = await redeliverEvent(database, byOperator, projectId, eventId);
  if (outcome !== 'scheduled') throw refusal(email, outcome);
  return { json: { scheduled: 1 }, text: `${eventId} is sent again.` };
}

function refusal(email: string, reason: Exclude<Redelivery, 'scheduled'>): CommandFailure {
  const reasons = {
    event_not_found: `${email} has no such event.`,
    no_endpoint: `${email} has no webhook endpoint.`,
    endpoint_disabled: `The endpoint of ${email} answered 410 and is disabled until it is set again.`,
  };
  return new CommandFailure(reasons[reason]);
}

const UNDELIVERED: readonly DeliveryStatus[] = ['pending', 'failed', 'unsent'];

async function redeliverSince(
  line: CommandLine,
  database: Database,
  projectId: bigint,
  { since = new Date(0), until, type, all, wait }: Options,
): Promise<Answer> {
  const statuses = all ? [...UNDELIVERED, 'delivered' as const] : UNDELIVERED;
  const wish = { projectId, since, until: until ?? null, type: type ?? null, statuses };
  const run = await beginRedeliveries(database, wish);
  const scheduled = run === null ? 0 : await inBatches(line, database, run, wait);
  return {
    json: { scheduled },
    text: scheduled === 0 ? 'There is nothing to send again.' : `Events sent again: ${scheduled}.`,
  };
}

async function inBatches(
  line: CommandLine,
  database: Database,
  run: RedeliveryRun,
  wait: boolean,
): Promise<number> {
  const total = await countRedeliverable(database, run);
  let scheduled = 0;
  for (let after = 0n; ;) {
    const batch = await scheduleRedeliveries(database, run, { after, limit: BATCH });
    scheduled += batch.scheduled;
    if (batch.lastEventId === null) return scheduled;
    after = batch.lastEventId;
    line.showProgress(`Scheduling ${progressBar(scheduled, total)}`);
    if (wait && scheduled < total) await untilNearlySent(line, database, run.projectId);
  }
}

async function untilNearlySent(line: CommandLine, database: Database, projectId: bigint): Promise<void> {
  for (;;) {
    const due = await countDueDeliveries(database, projectId);
    if (due < BATCH) return;
    line.showProgress(`Waiting for the webhook workers: ${due} to send`);
    await pause(LOOK_MS);
  }
}
