import { isUsableRate } from '@paywatch/domain/prices';
import type { Database } from '@paywatch/store/postgres';
import { loadRateReports, type RateReport } from '@paywatch/store/prices';
import { failed, ok, warning, type Finding } from './finding.ts';

const RUNBOOK =
  'See infra/runbooks/exchange-rate.md. Until then orders priced in this currency are refused (503).';

/** Checks the exchange rates that watchers read within the last minutes; no findings without a watcher. */
export async function checkRates(database: Database): Promise<Finding[]> {
  return (await loadRateReports(database)).map(judge);
}

function judge({
  currency,
  in: priceCurrency,
  value,
  sources,
  ageSeconds,
  withheld,
  quotes,
}: RateReport): Finding {
  const check = `${currency} rate in ${priceCurrency}`;
  const faults = quotes.flatMap(({ source, fault }) => (fault === null ? [] : [`${source}: ${fault}`]));
  const because = faults.length === 0 ? '' : ` (${faults.join('; ')})`;
  if (withheld === 'jump')
    return failed(check, `jumped by more than 10 %; waiting for confirmation${because}`, RUNBOOK);
  if (withheld === 'disagreement')
    return failed(check, `sources disagree by more than 2 %${because}`, RUNBOOK);
  if (value === null || sources === null || ageSeconds === null)
    return failed(check, `none yet: too few sources${because}`, RUNBOOK);
  if (!isUsableRate({ withheld, ageMs: ageSeconds * 1000 }))
    return failed(check, `${whyUnusable(ageSeconds)}${because}`, RUNBOOK);
  const detail = `${value} from ${sources.join(', ')}`;
  if (faults.length === 0) return ok(check, detail);
  return warning(
    check,
    `${detail}${because}`,
    'The others are enough. If this persists, check that watchers reach the source.',
  );
}

function whyUnusable(ageSeconds: number): string {
  return ageSeconds < 0
    ? 'from the future: the clock of Postgres was set back'
    : 'older than two minutes: too few sources answer';
}
