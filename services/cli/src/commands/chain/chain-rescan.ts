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

const MAX_HEIGHT = 99_999_999;

type Options = { fromHeight?: number; fromTime?: Date; wait: boolean };

/** `paywatch chain rescan` */
export function addRescanCommand(group: Command, line: CommandLine): void {
  group
    .command('rescan')
    .description('scan blocks and the mempool of a chain again')
    .addArgument(currencyArgument())
    .option('--from-height <height>', 'first block to scan', wholeNumber(0, MAX_HEIGHT))
    .option('--from-time <moment>', 'scan blocks mined since this time', parseSince)
    .option('--no-wait', 'do not wait until it is done')
    .addHelpText(
      'after',
      examples([
        ['paywatch chain rescan BTC --from-height 912000', 'from this block to the tip'],
        ['paywatch chain rescan LTC --from-time 2026-11-01', 'from two hours before that day (UTC)'],
      ]) +
        '\nFinds missed payments, for example in blocks before the first watched one. Scanning a block again is safe. The' +
        '\nwatchers continue if you interrupt the command. Reads DATABASE_URL.\n',
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
  throw new UsageFailure('Use either --from-height or --from-time.');
}

function rescanText({ currency, range, matched, isEnded }: Rescan): string {
  return fields([
    ['Chain', currency],
    ['Blocks', range === null ? 'not started' : `${range.from} to ${range.to}`],
    ['Status', isEnded ? 'done' : 'in progress'],
    ['Matching transactions', matched],
  ]);
}
