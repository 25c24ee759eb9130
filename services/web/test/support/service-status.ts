import type { ServiceStatus } from '@paywatch/domain/contract';
import { NOW_MS } from './invoices.ts';

const ago = (seconds: number) => new Date(NOW_MS - seconds * 1000).toISOString();

/** The status of a service in which everything works. */
export function serviceStatus(change: Partial<ServiceStatus> = {}): ServiceStatus {
  return {
    state: 'operational',
    checked_at: ago(0),
    api: { state: 'operational' },
    streams: { state: 'operational' },
    chains: [chainOf('BTC', 923_456), chainOf('LTC', 2_987_654)],
    webhooks: { state: 'operational', lag_seconds: 0 },
    mail: { state: 'operational', lag_seconds: 0 },
    incidents: [],
    ...change,
  };
}

const chainOf = (currency: 'BTC' | 'LTC', height: number): ServiceStatus['chains'][number] => ({
  currency,
  network: 'mainnet',
  state: 'operational',
  tip_height: height,
  tip_at: ago(500),
  read_at: ago(2),
});

/** Everything that can be delayed is, and two incidents. */
export function delayedStatus(): ServiceStatus {
  const { chains } = serviceStatus();
  return serviceStatus({
    state: 'delayed',
    streams: { state: 'delayed' },
    chains: chains.map((chain) => ({ ...chain, state: 'delayed', tip_at: ago(12_000), read_at: ago(300) })),
    webhooks: { state: 'delayed', lag_seconds: 300 },
    mail: { state: 'delayed', lag_seconds: 100 },
    incidents: [
      { component: 'LTC', started_at: ago(300), ended_at: null },
      { component: 'webhooks', started_at: ago(260_000), ended_at: ago(72_800) },
    ],
  });
}

/** The database does not respond. */
export function unavailableStatus(): ServiceStatus {
  const state = 'unavailable';
  const unknown = { chains: [], webhooks: null, mail: null, incidents: [] };
  return serviceStatus({ state, api: { state }, streams: { state }, ...unknown });
}
