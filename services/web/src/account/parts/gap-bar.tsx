import type { WalletStateView } from '@paywatch/domain/contract';
import { useSignedInAccount } from '../app/account-context.ts';
import { gapHealth } from '../screens/wallets/gap-health.ts';
import { useInterval } from '../api/use-load.ts';

const TONES = { low: 'waiting', dry: 'act', preparing: 'waiting' } as const;
const REFRESH_MS = 2000;

/** The use of a wallet's address pool as a bar, with counts and a text. */
export function GapBar({ wallet }: { wallet: WalletStateView }) {
  const { texts, refresh } = useSignedInAccount();
  const { free, leased, quarantined } = wallet.addresses;
  const health = gapHealth(wallet);
  useInterval(REFRESH_MS, health === 'preparing', refresh);
  const parts = [
    ['leased', leased],
    ['quarantined', quarantined],
    ['free', free],
  ] as const;
  const total = free + leased + quarantined;
  const all = Math.max(1, total);
  return (
    <div class="gap" data-testid={`gap-${wallet.currency}`} data-health={health}>
      <svg class="gap__bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([name, count], index) => {
          const before = parts.slice(0, index).reduce((sum, [, other]) => sum + other, 0);
          const [x, width] = [(before * 1000) / all, (count * 1000) / all];
          return <rect key={name} class={`gap__${name}`} x={x} width={width} y={0} height={10} />;
        })}
      </svg>
      <p class="gap__counts">
        <span>{texts.gap.free(free, total)}</span>
        {leased === 0 ? null : <span>{texts.gap.leased(leased)}</span>}
        {quarantined === 0 ? null : <span>{texts.gap.quarantined(quarantined)}</span>}
      </p>
      <p class="quiet">{texts.gap.limit(wallet.gap_limit)}</p>
      {health === 'good' ? null : (
        <p class="gap__words" data-tone={TONES[health]}>
          {texts.gap[health]}
        </p>
      )}
    </div>
  );
}
