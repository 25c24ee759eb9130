import { AppError } from '@paywatch/domain';
import { Counter, type Registry } from '@paywatch/runtime';
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
  type RateLimitState,
  type Store,
} from '@paywatch/store';
import type { LimitName, LimitRule } from './config.ts';

/** One limiter for each limit of the API. */
export type Limiters = Readonly<Record<LimitName, RateLimiter>>;

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
  return {
    login: limiter('login'),
    login_email: limiter('login_email', { isProvisional: true }),
    register: limiter('register'),
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
