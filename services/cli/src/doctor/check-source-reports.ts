import { loadSourceReports, type SourceReport } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Attribution bears two minutes; this is seen long before. */
const MAX_SKEW_MS = 30_000;

/** How watchers found each source within the last minutes; nothing where no watcher runs. */
export async function checkSourceReports(database: Database): Promise<Finding[]> {
  return (await loadSourceReports(database)).map(judge);
}

function judge({ currency, name, fault, lie, isCutOff, skewMs, twin }: SourceReport): Finding {
  const check = `${currency} source ${name}`;
  if (lie !== null)
    return failed(
      check,
      `was proven wrong: ${lie}`,
      'Watchers leave it alone for an hour. Remove it, unless you know what was wrong with it.',
    );
  if (isCutOff)
    return failed(
      check,
      'has had less work than another source for ten minutes; nothing expires',
      'It may be cut off from its network: check its peers. Watchers change to no other source by themselves.',
    );
  if (fault !== null) return warning(check, fault, 'Its watchers read from another source, or from none.');
  if (skewMs !== null && Math.abs(skewMs) > MAX_SKEW_MS)
    return warning(
      check,
      `its clock is ${describeSkew(skewMs)}`,
      'Run a time service (NTP) on its machine: the time of payments comes from it.',
    );
  if (twin !== null)
    return warning(
      check,
      `nothing tells it apart from ${twin}`,
      'If both URLs reach one server, their agreement means nothing: name a source that other people run.',
    );
  return ok(check, skewMs === null ? 'is read by watchers' : `its clock is ${describeSkew(skewMs)}`);
}

function describeSkew(skewMs: number): string {
  return `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} Postgres`;
}
