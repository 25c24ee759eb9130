import { eventTypeSchema } from '@paywatch/domain/contract';
import {
  findEventPosition,
  getEvent,
  listEvents,
  type DeliveryStatus,
  type EventDetail,
  type EventSummary,
} from '@paywatch/store/webhooks';
import { Option, type Command } from 'commander';
import {
  emailArgument,
  eventArgument,
  parseEventId,
  parseSince,
  wholeNumber,
} from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { blocks, fields, table } from '../../terminal/text.ts';
import { addRedeliverCommand } from './event-redeliver.ts';

const STATUSES = ['pending', 'delivered', 'failed', 'unsent'] as const satisfies readonly DeliveryStatus[];

/** `paywatch events …` */
export function addEventCommands(program: Command, line: CommandLine): void {
  const group = program.command('events').description('webhook events and their deliveries');
  addList(group, line);
  group
    .command('show')
    .description('show an event with all delivery attempts')
    .addArgument(emailArgument())
    .addArgument(eventArgument())
    .addHelpText(
      'after',
      examples([
        ['paywatch events show shop@example.com evt_8yXq3mJ2NdPz5KcVh7RtWb', 'the responses of the endpoint'],
      ]),
    )
    .action(line.action((email: string, eventId: string) => show(line.env, email, eventId)));
  addRedeliverCommand(group, line);
}

function addList(group: Command, line: CommandLine): void {
  group
    .command('list')
    .description('list the events of an account, newest first')
    .addArgument(emailArgument())
    .addOption(new Option('--type <type>', 'only events of this type').choices(eventTypeSchema.options))
    .addOption(new Option('--status <status>', 'only this delivery status').choices(STATUSES))
    .option('--since <moment>', 'created since a day (its start, UTC) or a time', parseSince)
    .option('--limit <n>', 'maximum number of results', wholeNumber(1, 1000), 50)
    .option('--cursor <event_id>', 'continue after the previous page', parseEventId)
    .addHelpText(
      'after',
      examples([
        ['paywatch events list shop@example.com --status failed', 'deliveries that failed for good'],
        [
          'paywatch events list shop@example.com --since 2026-11-01 --limit 1000 --json',
          'output for scripts',
        ],
      ]),
    )
    .action(line.action((email: string, options: ListOptions) => list(line.env, email, options)));
}

type ListOptions = { type?: string; status?: DeliveryStatus; since?: Date; limit: number; cursor?: string };

async function list(env: Env, email: string, { limit, cursor, ...filter }: ListOptions): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    const before = cursor === undefined ? undefined : await findEventPosition(database, projectId, cursor);
    if (before === null) throw noEvent(email, cursor ?? '');
    const events = await listEvents(database, projectId, { ...filter, before, limit: limit + 1 });
    const page = events.slice(0, limit);
    const next = events.length > limit ? (page.at(-1)?.publicId ?? null) : null;
    return listAnswer(page, next);
  });
}

function noEvent(email: string, eventId: string): CommandFailure {
  return new CommandFailure(`${email} has no event ${eventId}.`, `See \`paywatch events list ${email}\`.`);
}

function listAnswer(page: readonly EventSummary[], next: string | null): Answer {
  const rows = page.map(({ publicId, type, invoicePublicId, createdAt, delivery }) => [
    createdAt,
    publicId,
    type,
    invoicePublicId ?? 'test',
    delivery.status,
    delivery.attempts,
    delivery.nextAttemptAt,
  ]);
  const headers = ['TIME', 'EVENT', 'TYPE', 'INVOICE', 'DELIVERY', 'ATTEMPTS', 'NEXT ATTEMPT'];
  return {
    json: { data: page.map(eventJson), next_cursor: next },
    text: blocks(table(headers, rows, 'No events.'), next === null ? '' : `Next page: --cursor ${next}`),
  };
}

function eventJson({ publicId, type, invoicePublicId, createdAt, delivery }: EventSummary) {
  return {
    id: publicId,
    type,
    public_id: invoicePublicId,
    created_at: createdAt.toISOString(),
    delivery: {
      status: delivery.status,
      attempt_count: delivery.attempts,
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    },
  };
}

async function show(env: Env, email: string, eventId: string): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    const event = await getEvent(database, projectId, eventId);
    if (event === null) throw noEvent(email, eventId);
    return showAnswer(event);
  });
}

function showAnswer(event: EventDetail): Answer {
  const rows = event.attempts.map((attempt) => [
    attempt.number,
    attempt.startedAt,
    attempt.httpStatus,
    attempt.durationMs,
    attempt.error,
  ]);
  return {
    json: { ...eventJson(event), body: JSON.parse(event.body), attempts: event.attempts.map(attemptJson) },
    text: blocks(
      fields([
        ['Event', `${event.publicId}, ${event.type}`],
        ['Invoice', event.invoicePublicId],
        ['Created', event.createdAt],
        ['Delivery', event.delivery.status],
        ['Next attempt', event.delivery.nextAttemptAt],
      ]),
      table(['ATTEMPT', 'TIME', 'STATUS', 'MS', 'ERROR'], rows, 'No attempts yet.'),
    ),
  };
}

function attemptJson(attempt: EventDetail['attempts'][number]) {
  return {
    number: attempt.number,
    attempted_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    response_status: attempt.httpStatus,
    response_body: attempt.responseExcerpt,
    error: attempt.error,
  };
}
