import { withoutQuery } from '@paywatch/domain/webhooks';
import { listDeliveryBacklogs, type DeliveryBacklog } from '@paywatch/store/webhooks';
import type { Command } from 'commander';
import { wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { table } from '../../terminal/text.ts';

/** `paywatch deliveries …` */
export function addDeliveryCommands(program: Command, line: CommandLine): void {
  const group = program.command('deliveries').description('pending webhook deliveries');
  group
    .command('list')
    .description('list failing endpoints and those with pending deliveries')
    .option('--limit <n>', 'maximum number of results', wholeNumber(1, 1000), 50)
    .addHelpText(
      'after',
      examples([
        ['paywatch deliveries list', 'endpoints that are down, and since when'],
        ['paywatch events list shop@example.com --status pending', 'pending events of one account'],
      ]),
    )
    .action(line.action(({ limit }: { limit: number }) => list(line.env, limit)));
}

async function list(env: Env, limit: number): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const backlogs = await listDeliveryBacklogs(database, limit);
    return { json: { data: backlogs.map(backlogJson) }, text: backlogsText(backlogs) };
  });
}

function backlogJson(backlog: DeliveryBacklog) {
  return {
    email: backlog.email,
    url: backlog.url && withoutQuery(backlog.url),
    status: backlog.status,
    failing_since: backlog.failingSince?.toISOString() ?? null,
    pending: backlog.pending,
    due: backlog.due,
    next_attempt_at: backlog.nextAttemptAt?.toISOString() ?? null,
  };
}

function backlogsText(backlogs: readonly DeliveryBacklog[]): string {
  const rows = backlogs.map((backlog) => [
    backlog.email,
    backlog.url && withoutQuery(backlog.url),
    backlog.status,
    backlog.failingSince,
    backlog.pending,
    backlog.due,
    backlog.nextAttemptAt,
  ]);
  const headers = ['EMAIL', 'ENDPOINT', 'STATUS', 'FAILING SINCE', 'PENDING', 'DUE', 'NEXT ATTEMPT'];
  return table(headers, rows, 'All endpoints are healthy. No deliveries are pending.');
}
