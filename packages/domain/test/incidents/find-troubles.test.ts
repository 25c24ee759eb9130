import { describe, expect, it } from 'vitest';
import { findTroubles, type ServiceFacts } from '../../src/incidents/index.ts';

const HEALTHY: ServiceFacts = {
  chains: [
    { currency: 'BTC', staleSeconds: null },
    { currency: 'LTC', staleSeconds: null },
  ],
  webhookLagSeconds: 0,
  mailLagSeconds: 0,
};

describe('a trouble', () => {
  it.each<[string, Partial<ServiceFacts>, string[]]>([
    ['nothing', {}, []],
    ['a chain view that is stale for a minute', { chains: [{ currency: 'BTC', staleSeconds: 60 }] }, []],
    ['a chain view that is stale for longer', { chains: [{ currency: 'BTC', staleSeconds: 60.1 }] }, ['BTC']],
    ['webhooks that wait for a minute', { webhookLagSeconds: 60 }, []],
    ['webhooks that wait for longer', { webhookLagSeconds: 61 }, ['webhooks']],
    ['mails that wait for longer', { mailLagSeconds: 61 }, ['mail']],
    ['no mail at all', { mailLagSeconds: null }, []],
    ['several', { webhookLagSeconds: 90, mailLagSeconds: 80 }, ['webhooks', 'mail']],
  ])('is or is not %s', (_, facts, components) => {
    expect(findTroubles({ ...HEALTHY, ...facts }).map(({ component }) => component)).toEqual(components);
  });
});
