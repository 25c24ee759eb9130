import type { Currency } from '../values/index.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Attribution tolerates two minutes; this warns much earlier. */
const MAX_SKEW_MS = 30_000;

/** What a watcher reported about one source of a chain. */
export type ReportedSource = {
  readonly currency: Currency;
  /** Host and port. */
  readonly name: string;
  readonly fault: string | null;
  readonly invalidData: string | null;
  readonly isCutOff: boolean;
  readonly skewMs: number | null;
  readonly duplicateOf: string | null;
};

/** Judges a source of a chain by the report of a watcher. Pure. */
export function judgeSource(source: ReportedSource): Finding {
  const { currency, name, fault, invalidData, isCutOff, skewMs, duplicateOf } = source;
  const check = `${currency} source ${name}`;
  if (invalidData !== null)
    return failed(
      check,
      `sent invalid chain data: ${invalidData}`,
      'Watchers ignore it for an hour. Remove it unless you know the cause.',
    );
  if (isCutOff)
    return failed(
      check,
      'its chain has had less work than another source for ten minutes; no invoice expires',
      'It may be disconnected from its network: check its peers. Watchers do not switch to the other source.',
    );
  if (fault !== null) return warning(check, fault, 'Watchers use another source if there is one.');
  if (skewMs !== null && Math.abs(skewMs) > MAX_SKEW_MS)
    return warning(
      check,
      `its clock is ${describeSkew(skewMs)}`,
      'Run NTP on its machine: payment times come from its clock.',
    );
  if (duplicateOf !== null)
    return warning(
      check,
      `may be the same server as ${duplicateOf}`,
      'If both URLs reach one server, it cannot be cross-checked. Add a source with a different operator.',
    );
  return ok(check, skewMs === null ? 'used by watchers' : `its clock is ${describeSkew(skewMs)}`);
}

function describeSkew(skewMs: number): string {
  return `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} Postgres`;
}
