import { pause } from '@paywatch/runtime/process';
import { loadRescan, type Rescan } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';
import type { CommandLine } from './terminal/command-line.ts';
import { CommandFailure } from './terminal/failure.ts';
import { progressBar } from './terminal/progress-bar.ts';

const POLL_MS = 500;

/**
 * Loads a rescan; with `wait`, shows progress until it ends. Watchers continue the rescan if the command is interrupted. Throws
 * CommandFailure if the rescan failed.
 */
export async function followRescan(
  line: CommandLine,
  database: Pick<Database, 'sql'>,
  id: bigint,
  wait: boolean,
): Promise<Rescan> {
  const last = wait ? await waitForEnd(line, database, id) : await load(database, id);
  if (last.isEnded && last.fault !== null) throw new CommandFailure(last.fault);
  return last;
}

async function waitForEnd(line: CommandLine, database: Pick<Database, 'sql'>, id: bigint): Promise<Rescan> {
  for (;;) {
    const now = await load(database, id);
    if (now.isEnded) return now;
    line.showProgress(progressText(now));
    await pause(POLL_MS);
  }
}

async function load({ sql }: Pick<Database, 'sql'>, id: bigint): Promise<Rescan> {
  const found = await loadRescan(sql, id);
  if (!found) throw new Error('rescan not found');
  return found;
}

function progressText({ range, fault }: Rescan): string {
  const problem = fault === null ? '' : `  ${fault}`;
  if (range === null) return `Waiting for a watcher${problem}`;
  return `Reading blocks ${progressBar(range.next - range.from, range.to + 1 - range.from)}${problem}`;
}

/** A rescan as JSON. */
export function rescanJson({ id, currency, range, matched, isEnded, fault }: Rescan) {
  return {
    id: String(id),
    currency,
    from_height: range?.from ?? null,
    to_height: range?.to ?? null,
    next_height: range?.next ?? null,
    matched,
    ended: isEnded,
    fault,
  };
}
