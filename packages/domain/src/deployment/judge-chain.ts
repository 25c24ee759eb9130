import type { Network } from '../chain/chains.ts';
import type { Currency } from '../values/index.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** What to do about a chain that no watcher follows. */
export const WATCHER_ADVICE =
  'Start a watcher (services/watcher) with the same DATABASE_URL and node, or check its log.';

/** How far a chain is followed. */
export type FollowedChain = {
  readonly network: Network;
  readonly tip: { readonly height: number };
  readonly hasLeader: boolean;
  readonly isFresh: boolean;
  readonly unscannedBlocks: number;
  readonly checkedAt: Date;
};

/** Judges whether a watcher follows a configured chain and keeps up; `chain` is null if none ever did. Pure. */
export function judgeChain(currency: Currency, network: Network, chain: FollowedChain | null): Finding {
  const check = `${currency} watcher`;
  if (chain === null) return failed(check, 'no watcher has followed this chain yet', WATCHER_ADVICE);
  if (chain.network !== network)
    return failed(
      check,
      `this database follows ${chain.network}`,
      `${currency}_NETWORK is ${network}. Use another database or change the variable.`,
    );
  if (!chain.hasLeader)
    return failed(check, `no leader; last check ${shownMoment(chain.checkedAt)}`, WATCHER_ADVICE);
  if (!chain.isFresh)
    return warning(
      check,
      `stale since about ${shownMoment(chain.checkedAt)}, ${chain.unscannedBlocks} blocks not scanned`,
      'No invoice expires while the view is stale. If this persists, check the node and the log of the watcher.',
    );
  return ok(check, `follows ${network}, block ${chain.tip.height}`);
}

function shownMoment(moment: Date): string {
  return moment.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
