import { judgeRate, type Finding } from '@paywatch/domain/deployment';
import type { Database } from '@paywatch/store/postgres';
import { loadRateReports } from '@paywatch/store/prices';

/** Checks the exchange rates that watchers read within the last minutes; no findings without a watcher. */
export async function checkRates(database: Database): Promise<Finding[]> {
  return (await loadRateReports(database)).map(judgeRate);
}
