/**
 * Detects whether a deployment can distinguish its clients. Behind an unknown proxy every request has the proxy's address, so
 * all clients share one budget of each limit.
 */

/** How long requests are observed before a result. */
export const CLIENT_WINDOW_MS = 600_000;

/** Fewer requests in a window may all come from one client. */
const ENOUGH_REQUESTS = 100;

/** The requests of one replica in one window: how many, and the network that all of them came from; null for several. */
export type ClientWindow = { readonly requests: number; readonly network: string | null };

/** Counts one more request. Pure; null starts a window. */
export function addRequest(window: ClientWindow | null, network: string): ClientWindow {
  if (window === null) return { requests: 1, network };
  return { requests: window.requests + 1, network: window.network === network ? network : null };
}

/** The combined result of all replicas' windows. Pure. */
export type ClientSpread =
  | { readonly kind: 'too_few'; readonly requests: number }
  | { readonly kind: 'several'; readonly requests: number }
  | { readonly kind: 'one'; readonly requests: number; readonly network: string };

/** Whether all requests came from one network, if there are enough of them. Pure. */
export function judgeClients(windows: readonly ClientWindow[]): ClientSpread {
  const requests = windows.reduce((sum, window) => sum + window.requests, 0);
  const networks = new Set(windows.map(({ network }) => network));
  const [network] = networks;
  if (networks.size > 1 || network === null) return { kind: 'several', requests };
  if (network === undefined || requests < ENOUGH_REQUESTS) return { kind: 'too_few', requests };
  return { kind: 'one', requests, network };
}
