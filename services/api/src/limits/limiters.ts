import { Counter, type Registry } from '@paywatch/runtime/observability';
import type { Store } from '@paywatch/store';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '@paywatch/store/redis';
import type { LimitName, LimitRule } from '../config.ts';

/** One rate limiter for each limit of the API. */
export type Limiters = Readonly<Record<LimitName, RateLimiter>> & {
  /** For the IPv6 /56 and /48 around a network, each with a larger budget. */
  readonly broader: Readonly<Record<NetworkLimitName, readonly RateLimiter[]>>;
};

/** The limits that count by network. */
export const NETWORK_LIMITS = [
  'login',
  'register',
  'password_change',
  'mail_link',
  'donation_creation',
  'upload',
  'public_read',
  'page',
  'unknown_credential',
] as const;
export type NetworkLimitName = (typeof NETWORK_LIMITS)[number];

/** Budgets of a /56 and of a /48, as multiples of the budget of a /64. A home or office has several /64, but no client has all of them. */
export const BROADER_BUDGETS = [4, 16] as const;

/** Creates the limiters on the store's Redis connection. */
export function createLimiters(
  store: Store,
  rules: Readonly<Record<LimitName, LimitRule>>,
  registry: Registry,
): Limiters {
  const insured = new Counter({
    name: 'paywatch_rate_limit_insured_total',
    help: 'Points counted by this process alone because Redis did not answer, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  });
  const limiter = (name: LimitName, budget = 1, options: Pick<RateLimiterOptions, 'isProvisional'> = {}) =>
    createRateLimiter(
      store,
      { name, ...rules[name], points: budget * rules[name].points },
      { ...options, onInsured: () => insured.inc({ limit: name }) },
    );
  const broader = (name: NetworkLimitName, options: Pick<RateLimiterOptions, 'isProvisional'> = {}) =>
    BROADER_BUDGETS.map((budget) => limiter(name, budget, options));
  const isProvisional = true;
  return {
    broader: {
      login: broader('login'),
      register: broader('register'),
      password_change: broader('password_change'),
      mail_link: broader('mail_link'),
      donation_creation: broader('donation_creation'),
      upload: broader('upload'),
      public_read: broader('public_read'),
      page: broader('page'),
      unknown_credential: broader('unknown_credential', { isProvisional }),
    },
    account: limiter('account'),
    project_change: limiter('project_change'),
    redelivery: limiter('redelivery'),
    export: limiter('export'),
    unknown_credential: limiter('unknown_credential', 1, { isProvisional }),
    login: limiter('login'),
    login_email: limiter('login_email', 1, { isProvisional }),
    register: limiter('register'),
    password_change: limiter('password_change'),
    mail_link: limiter('mail_link'),
    donation_creation: limiter('donation_creation'),
    upload: limiter('upload'),
    api_key: limiter('api_key'),
    project: limiter('project'),
    public_read: limiter('public_read'),
    page: limiter('page'),
  };
}
