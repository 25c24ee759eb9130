import type { StatsView } from '@paywatch/domain/contract';
import { priceText } from '../../../money/fiat.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Panel } from '../../parts/panel.tsx';

/** What accepted money was worth; the currency of the project first. Nothing for a project that never had one. */
export function AcceptedInFiat({ stats }: { stats: StatsView }) {
  const { texts, language, me } = useSignedInAccount();
  const words = texts.overview;
  const totals = totalsOf(stats, me.project.fiat_currency);
  const without = stats.accepted_without_rate;
  if (totals.length === 0) return null;
  return (
    <Panel testId="accepted-in-fiat">
      <p class="figure__label">{words.inFiat}</p>
      {totals.map(({ amount, currency, count }) => (
        <div key={currency}>
          <p class="figure" data-testid={`accepted-${currency}`}>
            <bdi dir="ltr">{priceText({ amount, currency }, language)}</bdi>
          </p>
          <p class="quiet">{words.acceptedCount(count)}</p>
        </div>
      ))}
      {without === 0 ? null : (
        <p class="quiet" data-testid="without-rate">
          {words.withoutRate(without)}
        </p>
      )}
    </Panel>
  );
}

type Total = Omit<StatsView['accepted_in_fiat'][number], 'amount'> & { amount: string };

function totalsOf({ accepted_in_fiat: totals }: StatsView, own: string | null): Total[] {
  const others = totals.filter(({ currency }) => currency !== own);
  if (own === null) return others;
  return [
    totals.find(({ currency }) => currency === own) ?? { amount: '0', currency: own, count: 0 },
    ...others,
  ];
}
