import { eventTypeSchema } from '@paywatch/domain/contract';
import { pause } from '@paywatch/runtime/process';
import { byOperator } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import { findOverview } from '@paywatch/store/projects';
import {
  beginRedeliveries,
  countDueDeliveries,
  countRedeliverable,
  listEndpoints,
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

/** The next batch is scheduled when fewer than this are pending, so that new events are not delayed by a long backlog. */
const BATCH = 200;
const POLL_MS = 500;

type Options = { since?: Date; until?: Date; event?: string; type?: string; all?: true; wait: boolean };

/** `paywatch events redeliver` */
export function addRedeliverCommand(group: Command, line: CommandLine): void {
  group
    .command('redeliver')
    .description('send one event again, or all undelivered events since a time')
    .addArgument(emailArgument())
    .option('--since <moment>', 'created since a day (its start, UTC) or a time', parseSince)
    .option('--until <moment>', 'created before a day (its start, UTC) or a time', parseSince)
    .option('--event <event_id>', 'only this event, whatever its status', parseEventId)
    .addOption(new Option('--type <type>', 'only events of this type').choices(eventTypeSchema.options))
    .option('--all', 'also delivered events')
    .option('--no-wait', 'schedule all events at once instead of in batches')
    .addHelpText(
      'after',
      examples([
        ['paywatch events redeliver shop@example.com --since 2026-11-20', 'after an endpoint was down'],
        ['paywatch events redeliver shop@example.com --since 2026-11-20 --all', 'after a shop lost its data'],
        ['paywatch events redeliver shop@example.com --event evt_8yXq3mJ2NdPz5KcVh7RtWb', 'one event'],
      ]) +
        `
Receivers recognize repeated events by their id. Events are scheduled in batches of ${BATCH}, each when the previous one is almost
sent. Safe to interrupt, to repeat and to run concurrently: pending events are not scheduled twice.
`,
    )
    .action(line.action((email: string, options: Options) => redeliver(line, email, options)));
}

async function redeliver(line: CommandLine, email: string, options: Options): Promise<Answer> {
  const { event, since } = options;
  if ((event === undefined) === (since === undefined))
    throw new UsageFailure('Use either --since or --event.');
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    if (event !== undefined) return redeliverOne(database, projectId, email, event);
    const { webhook } = await findOverview(database, projectId);
    if (webhook === null) throw refusal(email, 'no_endpoint');
    if (webhook.status === 'disabled') throw refusal(email, 'endpoint_disabled');
    return redeliverSince(
      line,
      database,
      { projectId, types: await findWantedTypes(database, projectId) },
      options,
    );
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
  return { json: { scheduled: 1 }, text: `${eventId} is scheduled for redelivery.` };
}

function refusal(email: string, reason: Exclude<Redelivery, 'scheduled'>): CommandFailure {
  const reasons = {
    event_not_found: `${email} has no such event.`,
    no_endpoint: `${email} has no webhook endpoint.`,
    endpoint_not_found: `${email} has no such webhook endpoint.`,
    endpoint_disabled: `The endpoint of ${email} is disabled, by its owner or because it responded with 410, until it is set or enabled again.`,
  };
  return new CommandFailure(reasons[reason]);
}

/** The types of event that the first endpoint wants; null for all. */
async function findWantedTypes(database: Database, projectId: bigint): Promise<string[] | null> {
  const endpoints = await listEndpoints(database, projectId);
  return endpoints.find(({ isFirst }) => isFirst)?.eventTypes ?? null;
}

const UNDELIVERED: readonly DeliveryStatus[] = ['pending', 'failed', 'unsent'];

async function redeliverSince(
  line: CommandLine,
  database: Database,
  receiver: { projectId: bigint; types: readonly string[] | null },
  { since = new Date(0), until, type, all, wait }: Options,
): Promise<Answer> {
  const statuses = all ? [...UNDELIVERED, 'delivered' as const] : UNDELIVERED;
  const request = { ...receiver, since, until: until ?? null, type: type ?? null, statuses };
  const run = await beginRedeliveries(database, request);
  const scheduled = run === null ? 0 : await inBatches(line, database, run, wait);
  return {
    json: { scheduled },
    text: scheduled === 0 ? 'No events to redeliver.' : `Scheduled ${scheduled} events for redelivery.`,
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
    if (wait && scheduled < total) await waitUntilAlmostSent(line, database, run.projectId);
  }
}

async function waitUntilAlmostSent(line: CommandLine, database: Database, projectId: bigint): Promise<void> {
  for (;;) {
    const due = await countDueDeliveries(database, projectId);
    if (due < BATCH) return;
    line.showProgress(`Waiting for the webhook workers: ${due} pending`);
    await pause(POLL_MS);
  }
}
