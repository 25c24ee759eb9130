import type { Currency } from '@paywatch/domain/values';
import { requestRescan, type Rescan, type RescanBeginning } from '@paywatch/store/chain';
import type { Command } from 'commander';
import { currencyArgument, parseSince, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig } from '../../config.ts';
import { UsageFailure } from '../../terminal/failure.ts';
import { followRescan, rescanJson } from '../../follow-rescan.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { fields } from '../../terminal/text.ts';

const HIGHEST_HEIGHT = 99_999_999;

type Options = { fromHeight?: number; fromTime?: Date; wait: boolean };

/** `paywatch chain rescan` */
export function addRescanCommand(group: Command, line: CommandLine): void {
  group
    .command('rescan')
    .description('have the watchers read blocks of a chain, and its mempool, again')
    .addArgument(currencyArgument())
    .option('--from-height <height>', 'the first block to read', wholeNumber(0, HIGHEST_HEIGHT))
    .option('--from-time <moment>', 'read what was mined since then', parseSince)
    .option('--no-wait', 'do not wait for the end')
    .addHelpText(
      'after',
      examples([
        ['paywatch chain rescan BTC --from-height 912000', 'from a block to the tip'],
        [
          'paywatch chain rescan LTC --from-time 2026-11-01',
          'from that day on in UTC, and two hours before it',
        ],
      ]) +
        '\nFinds payments that no watcher has seen: blocks below the first one that was followed, for example. Reading' +
        '\na block again changes nothing. The watchers go on when this command is interrupted. Reads DATABASE_URL.\n',
    )
    .action(line.action((currency: Currency, options: Options) => rescan(line, currency, options)));
}

async function rescan(line: CommandLine, currency: Currency, options: Options): Promise<Answer> {
  const beginning = beginningOf(options);
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const id = await requestRescan(database.sql, currency, beginning);
    const last = await followRescan(line, database, id, options.wait);
    return { json: { rescan: rescanJson(last) }, text: rescanText(last) };
  });
}

function beginningOf({ fromHeight, fromTime }: Options): RescanBeginning {
  if (fromHeight !== undefined && fromTime === undefined) return { height: fromHeight };
  if (fromTime !== undefined && fromHeight === undefined) return { time: fromTime };
  throw new UsageFailure('Give one of --from-height and --from-time.');
}

function rescanText({ currency, range, matched, isEnded }: Rescan): string {
  return fields([
    ['Chain', currency],
    ['Blocks', range === null ? 'not begun' : `${range.from} to ${range.to}`],
    ['Read', isEnded ? 'all of them' : 'the watchers go on'],
    ['Transactions of ours', matched],
  ]);
}
