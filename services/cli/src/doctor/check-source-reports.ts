import { judgeSource, type Finding } from '@paywatch/domain/deployment';
import { loadSourceReports } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';

/** Checks what watchers reported about each source in the last minutes; no findings without a watcher. */
export async function checkSourceReports(database: Database): Promise<Finding[]> {
  return (await loadSourceReports(database)).map(judgeSource);
}
