import { AppError } from '@paywatch/domain/requests';
import { Counter, type Registry } from '@paywatch/runtime/observability';
import type { Store } from '@paywatch/store';
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
  type RateLimitState,
} from '@paywatch/store/redis';
import type { LimitName, LimitRule } from './config.ts';
import { broaderNetworks } from './middleware/client-network.ts';

/** One limiter for each limit of the API. */
export type Limiters = Readonly<Record<LimitName, RateLimiter>> & {
  /** The same for what lies around a network, with a budget that grows: the /56 and the /48 of IPv6. */
  readonly broader: Readonly<Record<NetworkLimitName, readonly RateLimiter[]>>;
};

/** The limits that count networks. */
export const NETWORK_LIMITS = [
  'login',
  'register',
  'password_change',
  'donation_creation',
  'public_read',
  'unknown_credential',
] as const;
export type NetworkLimitName = (typeof NETWORK_LIMITS)[number];

/** Budgets of a /56 and of a /48, in those of a /64: a home or an office has several, and nobody has all of them to himself. */
export const BROADER_BUDGETS = [4, 16] as const;

/** Counts a point of a network and of those around it; refused where any of them has none left. */
export async function countNetwork(
  limiters: Limiters,
  name: NetworkLimitName,
  network: string,
): Promise<RateLimitState> {
  const state = await limiters[name].count(network);
  // One after the other: a network that is refused takes nothing from its neighbours.
  for (const [index, around] of broaderNetworks(network).entries()) {
    if (!state.isAllowed) break;
    const broader = await limiters.broader[name][index]?.count(around);
    if (broader?.isAllowed === false) return broader;
  }
  return state;
}

/**
 * Counts a point of a network and of those around it provisionally; answers what gives all of them back. Throws AppError
 * `rate_limited` where any of them has none left, and then keeps no point of the others.
 */
export async function countProvisionally(
  limiters: Limiters,
  name: NetworkLimitName,
  network: string,
): Promise<() => Promise<void>> {
  const counted: (() => Promise<void>)[] = [];
  const giveBack = async (): Promise<void> => void (await Promise.all(counted.map((point) => point())));
  const keys = [network, ...broaderNetworks(network)];
  for (const [index, limiter] of [limiters[name], ...limiters.broader[name]].entries()) {
    const key = keys[index];
    if (key === undefined) break;
    const state = await limiter.count(key);
    if (!state.isAllowed) await giveBack();
    assertAllowed(state);
    counted.push(() => limiter.giveBack(key, state));
  }
  return giveBack;
}

/** Opens nothing: the limiters count over the store's connection. */
export function createLimiters(
  store: Store,
  rules: Readonly<Record<LimitName, LimitRule>>,
  registry: Registry,
): Limiters {
  const insured = new Counter({
    name: 'paywatch_rate_limit_insured_total',
    help: 'Points that this process counted alone, because Redis did not answer, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  });
  const limiter = (name: LimitName, options: Pick<RateLimiterOptions, 'isProvisional'> = {}) =>
    createRateLimiter(
      store,
      { name, ...rules[name] },
      { ...options, onInsured: () => insured.inc({ limit: name }) },
    );
  const around = (
    name: NetworkLimitName,
    options: Pick<RateLimiterOptions, 'isProvisional'> = {},
  ): RateLimiter[] =>
    BROADER_BUDGETS.map((budget) => {
      const rule = { name, ...rules[name], points: budget * rules[name].points };
      return createRateLimiter(store, rule, { ...options, onInsured: () => insured.inc({ limit: name }) });
    });
  return {
    broader: {
      login: around('login'),
      register: around('register'),
      password_change: around('password_change'),
      donation_creation: around('donation_creation'),
      public_read: around('public_read'),
      unknown_credential: around('unknown_credential', { isProvisional: true }),
    },
    account: limiter('account'),
    project_change: limiter('project_change'),
    redelivery: limiter('redelivery'),
    unknown_credential: limiter('unknown_credential', { isProvisional: true }),
    login: limiter('login'),
    login_email: limiter('login_email', { isProvisional: true }),
    register: limiter('register'),
    password_change: limiter('password_change'),
    donation_creation: limiter('donation_creation'),
    api_key: limiter('api_key'),
    public_read: limiter('public_read'),
  };
}

/** Throws AppError `rate_limited`, with the time until the window ends, where the point was one too many. */
export function assertAllowed(state: RateLimitState): void {
  if (!state.isAllowed) {
    throw new AppError('rate_limited', undefined, { retryAfterSeconds: state.resetSeconds });
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers, one policy: what is allowed, and what is left of it. */
export function rateLimitFields(state: RateLimitState): Record<'RateLimit' | 'RateLimit-Policy', string> {
  const { rule, remaining, resetSeconds } = state;
  return {
    'RateLimit-Policy': `"${rule.name}";q=${rule.points};w=${rule.windowSeconds}`,
    RateLimit: `"${rule.name}";r=${remaining};t=${resetSeconds}`,
  };
}
