import { isUsableRate, type RateState } from '../prices/index.ts';
import type { Currency } from '../values/index.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const RUNBOOK =
  'See infra/runbooks/exchange-rate.md. Until then orders priced in this currency are refused (503).';

/** The last reading of an exchange rate by a watcher. */
export type ReportedRate = {
  readonly currency: Currency;
  readonly in: string;
  readonly value: string | null;
  readonly sources: readonly string[] | null;
  readonly ageSeconds: number | null;
  readonly withheld: RateState['withheld'];
  readonly quotes: readonly { readonly source: string; readonly fault: string | null }[];
};

/** Judges the exchange rate of a pair. Pure. */
export function judgeRate(rate: ReportedRate): Finding {
  const { currency, in: priceCurrency, value, sources, ageSeconds, withheld, quotes } = rate;
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
