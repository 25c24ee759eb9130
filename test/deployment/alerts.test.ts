import { hasPrometheus, startPrometheus, type Prometheus } from '@paywatch/dev/servers';
import { repositoryFolder, startStack, type Stack } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = join(repositoryFolder, 'infra/prometheus');
const rules = readFileSync(join(folder, 'rules.yml'), 'utf8');
const ruleTests = z
  .object({
    tests: z.array(
      z.object({
        alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
      }),
    ),
  })
  .parse(parse(readFileSync(join(folder, 'rules.test.yml'), 'utf8')));
const dashboard = readFileSync(join(repositoryFolder, 'infra/grafana/dashboards/paywatch.json'), 'utf8');

/** Series that exist only after an event. */
const RARE = new Set([
  'paywatch_rate_limit_insured_total',
  'paywatch_webhook_attempts_total',
  'paywatch_pool_addresses',
  'paywatch_pools',
  // Exists after a reconciliation has ended.
  'paywatch_reconciliation_differences',
  'paywatch_reconciliation_unverifiable',
  'paywatch_reconciliation_last_end_timestamp_seconds',
]);

test('every alert names a runbook that exists', () => {
  const names = [...rules.matchAll(/runbook: (\S+)/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(10);
  for (const name of new Set(names)) {
    const runbook = readFileSync(join(repositoryFolder, 'infra/runbooks', name), 'utf8');
    expect(runbook).toMatch(/^# /);
  }
});

test('the rule tests make every alert fire and not fire', () => {
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const cases = ruleTests.tests.flatMap((one) => one.alert_rule_test);
  const names = (fires: boolean) =>
    cases
      .filter(({ exp_alerts: expected }) => expected.length > 0 === fires)
      .map(({ alertname }) => alertname);
  expect(new Set(names(true))).toEqual(new Set(alerts));
  expect(new Set(names(false))).toEqual(new Set(alerts));
});

const meta = { skipReason: 'prometheus is not installed' };

describe.skipIf(!hasPrometheus())('a real Prometheus with the rules of infra/prometheus', { meta }, () => {
  let stack: Stack;
  let prometheus: Prometheus;
  beforeAll(async () => {
    stack = await startStack({ ownServers: true, mweb: false, replicas: { api: 1 } });
    const { api, watcher, webhookWorker } = stack.services;
    prometheus = await startPrometheus({
      // Without the `for` durations, so that alerts fire at once.
      rules: rules.replaceAll(/for: \S+/g, 'for: 0s'),
      targets: {
        'paywatch-api': api.map(({ adminPort }) => adminPort),
        'paywatch-watcher': watcher.map(({ adminPort }) => adminPort),
        'paywatch-webhook-worker': webhookWorker.map(({ adminPort }) => adminPort),
      },
    });
    await waitUntil(async () => (await prometheus.query('sum(up)'))[0]?.value === 3, {
      what: 'three targets',
    });
  });
  afterAll(async () => {
    await prometheus.stop();
    await stack.stop();
  });

  const fires = (name: string) =>
    waitUntil(async () => (await prometheus.firing()).includes(name), { what: `${name} to fire` });
  const isQuiet = () => waitUntil(async () => (await prometheus.firing()).length === 0, { what: 'silence' });

  test('promtool accepts rules and configuration, and the rule tests pass', () => {
    for (const args of [
      ['check', 'rules', 'rules.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'rules.test.yml'],
    ])
      expect(execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })).toContain('SUCCESS');
  });

  test('some service exports every series of rules and panels, and every panel query works', async () => {
    const names = new Set(`${rules}${dashboard}`.match(/\b(?:paywatch|nodejs|process)_[a-z0-9_]+/g));
    const { api, watcher, webhookWorker } = stack.services;
    const texts = await Promise.all(
      [...api, ...watcher, ...webhookWorker].map(async ({ adminPort }) =>
        (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
      ),
    );
    // Rare series are declared from the start, with their type.
    const types = new Set([...texts.join('\n').matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const unknown = [...names].filter((name) => !types.has(name.replace(/_(?:bucket|count|sum)$/, '')));
    expect(unknown).toEqual([]);
    for (const name of [...names].filter((one) => !RARE.has(one)))
      expect(await prometheus.query(`count({__name__=~"${name}(_bucket|_count)?"})`), name).not.toEqual([]);
    const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      JSON.parse(text ?? ''),
    );
    expect(expressions.length).toBeGreaterThan(10);
    for (const expression of expressions) await prometheus.query(String(expression));
  });

  test('nothing fires on a healthy stack; a stopped watcher and a lost Redis fire until they are back', async () => {
    await isQuiet();
    const [watcher] = stack.services.watcher;
    await watcher?.stop();
    await Promise.all([fires('PaywatchChainUnwatched'), fires('PaywatchProcessDown')]);
    await watcher?.restart();
    await isQuiet();
    await stack.redis.kill();
    await fires('PaywatchRedisDown');
    await stack.redis.restart();
    await isQuiet();
    expect(await prometheus.firing()).toEqual([]);
  });
});
