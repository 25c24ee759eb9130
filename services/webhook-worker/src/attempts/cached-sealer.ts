import type { Sealer } from '@paywatch/runtime/security';

/** More than the number of endpoints that a worker sends to at one time. */
const MAX_SECRETS = 2000;

/** Wraps a sealer with a cache of opened secrets. Opening one costs more CPU than signing, and a backlog uses a single secret. */
export function cachedSealer(sealer: Sealer): Sealer {
  const opened = new Map<string, string>();
  return {
    ...sealer,
    open: (sealed, place) => {
      const key = `${place.table} ${place.column} ${place.row} ${Buffer.from(sealed).toString('latin1')}`;
      const cached = opened.get(key);
      if (cached !== undefined) return cached;
      const secret = sealer.open(sealed, place);
      opened.set(key, secret);
      const [oldest = ''] = opened.keys();
      if (opened.size > MAX_SECRETS) opened.delete(oldest);
      return secret;
    },
  };
}
