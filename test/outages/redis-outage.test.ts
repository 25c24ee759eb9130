import { type StackService, startStack, type Stack } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSeller, type Seller } from '../support/seller.ts';

/* Restarts every process while Redis is unavailable: the shop keeps working, and all processes recover when Redis is back. */

let stack: Stack;
let seller: Seller;
let services: StackService[];

beforeAll(async () => {
  stack = await startStack({ ownServers: true, mweb: false });
  seller = await openSeller(stack);
  services = Object.values(stack.services).flat();
});
afterAll(() => stack.stop());

type Readiness = { status: string; degradations?: Record<string, string> };

async function readiness({ adminPort }: StackService): Promise<Readiness> {
  return (await (await fetch(`http://127.0.0.1:${adminPort}/health/ready`)).json()) as Readiness;
}

async function isIncompatibleFor(service: StackService): Promise<boolean> {
  const { degradations } = await readiness(service);
  return degradations?.['REDIS_URL']?.startsWith('incompatible: ') ?? false;
}

async function redisUp({ adminPort }: StackService): Promise<string | undefined> {
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return /^paywatch_redis_up\{[^}]*\} (\d)$/m.exec(metrics)?.[1];
}

const areAll = async (status: string) =>
  (await Promise.all(services.map(readiness))).every((now) => now.status === status);

type Process = ReturnType<StackService['process']>;

const describeEnd = ({ name, exitCode, logFile }: Process): string =>
  `${name} exited with ${exitCode()}:\n${readFileSync(logFile, 'utf8').split('\n').slice(-9).join('\n')}`;

test.each([
  ['stopped', () => stack.redis.kill(), () => stack.redis.restart()],
  ['frozen', async () => stack.redis.signal('SIGSTOP'), async () => stack.redis.signal('SIGCONT')],
])(
  'processes that start while Redis is %s serve degraded, and recover when it is back',
  async (_state, takeAway, bringBack) => {
    await takeAway();
    // All at once, as in a reboot of the machine: an orderly stop, then a start.
    const before = services.map((service) => service.process());
    await Promise.all(services.map((service) => service.restart()));
    expect(before.filter(({ exitCode }) => exitCode() !== 0).map(describeEnd)).toEqual([]);
    for (const service of services) {
      const { status, degradations } = await readiness(service);
      expect({ status, names: Object.keys(degradations ?? {}) }).toEqual({
        status: 'degraded',
        names: ['REDIS_URL'],
      });
      expect(await redisUp(service)).toBe('0');
      expect(readFileSync(service.process().logFile, 'utf8')).toContain(
        'Redis unavailable; starting degraded',
      );
    }
    await seller.sell();

    await bringBack();
    await waitUntil(() => areAll('ok'), { what: 'every process to recover' });
    for (const service of services) expect(await redisUp(service)).toBe('1');
    await seller.sell();
  },
  600_000,
);

test('a running process whose Redis comes back incompatible stays up, degraded, and reports the reason', async () => {
  await stack.redis.kill();
  await waitUntil(() => areAll('degraded'), { what: 'every process to be degraded' });
  await stack.redis.restart({ 'maxmemory-policy': 'allkeys-lru' });
  for (const service of services)
    await waitUntil(() => isIncompatibleFor(service), {
      what: `${service.name} to detect it`,
    });
  await seller.sell();
  // A starting process exits instead, since nobody depends on it yet.
  for (const service of services)
    await expect(service.restart()).rejects.toThrow(/REDIS_URL: maxmemory-policy is allkeys-lru/);
}, 600_000);
