import type { ServiceState, ServiceStatus } from '@paywatch/domain/contract';
import { findTroubles, type IncidentComponent, type ServiceFacts } from '@paywatch/domain/incidents';
import type { ChainStatus } from '@paywatch/store/chain';
import type { Incident } from '@paywatch/store/incidents';

/** What Postgres knows about the service. */
export type Observed = ServiceFacts & {
  readonly chains: readonly ChainStatus[];
  readonly incidents: readonly Incident[];
};

/**
 * What the public sees of the status: no name, host, or count of anything that belongs to an account. `observed` is null if Postgres did
 * not respond. Pure.
 */
export function statusView(observed: Observed | null, hasRedis: boolean, nowMs: number): ServiceStatus {
  const checked_at = new Date(nowMs).toISOString();
  if (observed === null) return unavailable(checked_at);
  const parts = partsOf(observed, hasRedis);
  const states = [parts.streams, ...parts.chains, parts.webhooks, parts.mail].map((part) => part?.state);
  return {
    state: states.includes('delayed') ? 'delayed' : 'operational',
    checked_at,
    api: { state: 'operational' },
    ...parts,
    incidents: observed.incidents.map(({ component, startedAt, endedAt }) => ({
      component,
      started_at: startedAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    })),
  };
}

function partsOf(observed: Observed, hasRedis: boolean) {
  const troubled = new Set(findTroubles(observed).map(({ component }) => component));
  const delivery = (component: IncidentComponent, seconds: number) => ({
    state: stateOf(troubled.has(component)),
    lag_seconds: Math.round(seconds),
  });
  const { chains, webhookLagSeconds, mailLagSeconds } = observed;
  return {
    // Without Redis, streams compare with Postgres every few seconds.
    streams: { state: stateOf(!hasRedis) },
    chains: chains.map(chainView),
    webhooks: delivery('webhooks', webhookLagSeconds),
    mail: mailLagSeconds === null ? null : delivery('mail', mailLagSeconds),
  };
}

function chainView({ currency, network, isFresh, tip, checkedAt }: ChainStatus) {
  return {
    currency,
    network,
    state: stateOf(!isFresh),
    tip_height: tip.height,
    tip_at: tip.minedAt.toISOString(),
    read_at: checkedAt.toISOString(),
  };
}

function stateOf(isDelayed: boolean): ServiceState {
  return isDelayed ? 'delayed' : 'operational';
}

function unavailable(checked_at: string): ServiceStatus {
  const state = 'unavailable';
  return {
    state,
    checked_at,
    api: { state },
    streams: { state },
    chains: [],
    webhooks: null,
    mail: null,
    incidents: [],
  };
}
