import { apiVariables } from '@paywatch/api/config';
import { ConfigError } from '@paywatch/runtime/process';
import { watcherVariables } from '@paywatch/watcher/config';
import { webhookWorkerVariables } from '@paywatch/webhook-worker/config';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { readServeConfig } from '../src/config.ts';

const shapes: Record<string, z.ZodRawShape> = {
  api: apiVariables.shape,
  watcher: watcherVariables.shape,
  webhookWorker: webhookWorkerVariables.shape,
};

test('a variable that several roles read has one default, except the pool size of each role', () => {
  const names = new Set(Object.values(shapes).flatMap((shape) => Object.keys(shape)));
  const conflicts = [...names].filter((name) => new Set(defaultsOf(name)).size > 1);
  expect(conflicts).toEqual(['DATABASE_POOL_SIZE']);
});

test('the errors of all roles are reported together, each once', () => {
  const faults = faultsOf({ POLL_INTERVAL_MS: '1', TRIAL_DAYS: '-1', WEBHOOK_CONCURRENCY: '0' });
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'POLL_INTERVAL_MS', 'TRIAL_DAYS', 'WEBHOOK_CONCURRENCY'])
    expect(faults.filter((fault) => fault.startsWith(`${name}: `))).toHaveLength(1);
});

test('each role gets the value of a variable that several of them read', () => {
  const config = readServeConfig({
    DATABASE_URL: 'postgres://127.0.0.1/paywatch',
    REDIS_URL: 'redis://127.0.0.1',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    PUBLIC_URL: 'https://pay.example',
    DATABASE_POOL_SIZE: '3',
    BTC_NETWORK: 'testnet',
  });
  expect([config.api.env.DATABASE_POOL_SIZE, config.webhookWorker.env.DATABASE_POOL_SIZE]).toEqual([3, 3]);
  expect([config.api.networks.BTC, config.watcher.env.BTC_NETWORK]).toEqual(['testnet', 'testnet']);
});

/** Reading fails for a variable that is required, and counts as a default of its own only where roles differ in the value. */
function defaultsOf(name: string): string[] {
  return Object.values(shapes).flatMap((shape) => {
    const schema = shape[name] as z.ZodType | undefined;
    const parsed = schema?.safeParse(undefined);
    return parsed?.success && parsed.data !== undefined ? [JSON.stringify(parsed.data)] : [];
  });
}

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readServeConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}
