/** The delays that a change of a project's wallet depends on, in seconds. */
export type WalletDelays = {
  /** WALLET_CHANGE_DELAY. */
  deploymentSeconds: number;
  /** The owner's own choice; null: none. */
  ownSeconds: number | null;
};

/** How long changes of a project's wallets wait, in seconds. Owners can only lengthen the delay of the deployment. */
export function walletDelaySeconds({ deploymentSeconds, ownSeconds }: WalletDelays): number {
  return Math.max(deploymentSeconds, ownSeconds ?? 0);
}

/**
 * How long this change waits, in seconds; 0: it takes effect at once. `isPaid`: a payment of the project was confirmed within the
 * last 30 days. Before that there is nothing to steal, and a new merchant sets up all wallets in one go.
 */
export function waitOfWalletChange({ isPaid, ...delays }: WalletDelays & { isPaid: boolean }): number {
  return isPaid ? walletDelaySeconds(delays) : 0;
}

/**
 * How long a change of the delay itself waits, in seconds. A shorter one waits for the present delay: otherwise a thief would
 * shorten it first.
 */
export function waitOfDelayChange(delays: WalletDelays, wantedSeconds: number): number {
  const present = walletDelaySeconds(delays);
  return walletDelaySeconds({ ...delays, ownSeconds: wantedSeconds }) < present ? present : 0;
}
