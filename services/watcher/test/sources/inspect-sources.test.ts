import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { loadSourceReports, saveSourceReports, type SourceReport } from '@paywatch/store/chain';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSourceInspector } from '../../src/sources/inspect-sources.ts';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { createEsploraSource } from '../../src/sources/esplora/esplora-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createSourcePool, type SourcePool } from '../../src/sources/source-pool.ts';
import { registerSourceMetrics } from '../../src/sources/source-metrics.ts';
import { startWatcher } from '../../src/watcher.ts';
import { startEsploraServer } from '../support/sources/esplora-server.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { inventBlocks } from '../support/chains/invented-blocks.ts';
import { startTamperingNode } from '../support/sources/tampering-node.ts';

let harness: Harness;
let node: ChainNode;
let pool: SourcePool | null = null;
let lines: { msg: string; source?: string; other?: string }[] = [];
beforeAll(async () => {
  [harness, node] = await Promise.all([createHarness(), startLitecoinNode({ mweb: false })]);
}, 120_000);
afterAll(() => Promise.all([node.stop(), harness.close()]));
afterEach(async () => {
  await pool?.close();
  pool = null;
  lines = [];
  await harness.store.sql`delete from chain_sources`;
});

function open(nodes: readonly ChainSource[], standIns: readonly ChainSource[] = []): SourcePool {
  const destination = new PassThrough();
  destination.on('data', (line: Buffer) => lines.push(JSON.parse(line.toString('utf8'))));
  const logger = createLogger({ service: 'watcher', level: 'info', destination });
  return (pool = createSourcePool({
    currency: 'LTC',
    network: 'regtest',
    nodes,
    standIns,
    clock: systemClock,
    logger,
  }));
}

const inspectorOf = (sources: SourcePool) =>
  createSourceInspector(harness.store, systemClock, new Map([['LTC', sources]]));
/** What a busy machine adds to a measurement. */
const SLACK_MS = 20_000;
const isAbout = (ms: number | null | undefined, expected: number) =>
  typeof ms === 'number' && Math.abs(ms - expected) < SLACK_MS;

test('a node clock that is 90 s behind is measured, corrected, exported and reported', async () => {
  const behind = await startTamperingNode(node, (method, _params, result) => {
    if (method !== 'getnettotals') return result;
    return { ...Object(result), timemillis: Date.now() - 90_000 };
  });
  const sources = open([createNodeSource(behind.url)]);
  const inspector = inspectorOf(sources);
  expect(inspector.sourceSkewMs('LTC')).toBe(0);
  await sources.use(() => Promise.resolve());
  await inspector.inspect();
  expect(isAbout(inspector.sourceSkewMs('LTC'), -90_000)).toBe(true);
  expect(isAbout(inspector.postgresSkewMs(), 0)).toBe(true);
  const [report] = await loadSourceReports(harness.store);
  expect(report).toMatchObject({
    currency: 'LTC',
    name: behind.name,
    fault: null,
    invalidData: null,
    isCutOff: false,
  });
  expect(isAbout(report?.skewMs, -90_000)).toBe(true);
  const registry = createRegistry('watcher');
  registerSourceMetrics(registry, new Map([['LTC', sources]]), inspector);
  const metrics = await registry.metrics();
  const labels = `currency="LTC",source="${behind.name}",kind="node"`;
  expect(metrics).toMatch(new RegExp(`paywatch_source_up\\{${labels}[^}]*\\} 1`));
  expect(metrics).toMatch(new RegExp(`paywatch_source_lie\\{${labels}[^}]*\\} 0`));
  expect(metrics).toMatch(new RegExp(`paywatch_source_cut_off\\{${labels}[^}]*\\} 0`));
  expect(metrics).toMatch(new RegExp(`paywatch_source_skew_seconds\\{${labels}[^}]*\\} -\\d`));
  expect(metrics).toMatch(/paywatch_postgres_skew_seconds(\{[^}]*\})? -?\d/);
  await behind.close();
});

test('the measured skew of a real node and of an Esplora server is small', async () => {
  const server = await startEsploraServer(node);
  const standIn = createEsploraSource({
    url: server.url,
    currency: 'LTC',
    clock: systemClock,
    minPauseMs: 0,
  });
  const sources = open([createNodeSource(node.url)], [standIn]);
  await sources.inspect();
  expect(sources.states().map(({ skewMs }) => isAbout(skewMs, 0))).toEqual([true, true]);
  await server.close();
});

test('two names of one node cause one warning; two servers cause none', async () => {
  const other = new URL(node.url);
  other.hostname = 'localhost';
  const sources = open([createNodeSource(node.url), createNodeSource(other.href)]);
  await sources.inspect();
  await sources.inspect();
  const names = [new URL(node.url).host, other.host];
  expect(sources.states().map(({ duplicateOf }) => duplicateOf)).toEqual(names.toReversed());
  const warnings = lines.filter(({ msg }) => msg.startsWith('two sources may be the same server'));
  expect(warnings.map(({ source }) => source)).toEqual(names);
});

test('invalid data is reported for an hour, even if another watcher has not seen it', async () => {
  const report: SourceReport = {
    currency: 'LTC',
    name: 'liar:1',
    fault: 'is left alone',
    invalidData: 'block 1 does not meet its target',
    isCutOff: false,
    skewMs: null,
    duplicateOf: null,
  };
  const { sql } = harness.store;
  const lies = async () => (await loadSourceReports(harness.store)).map(({ invalidData }) => invalidData);
  await saveSourceReports(sql, [report]);
  await saveSourceReports(sql, [{ ...report, fault: null, invalidData: null }]);
  expect(await lies()).toEqual([report.invalidData]);
  await sql`update chain_sources set lied_at = now() - interval '61 minutes'`;
  expect(await lies()).toEqual([null]);
  await saveSourceReports(sql, [report]);
  expect(await lies()).toEqual([report.invalidData]);
  await sql`update chain_sources set inspected_at = now() - interval '6 minutes'`;
  expect(await lies()).toEqual([]);
});

test('a running watcher reports its sources and their invalid data', async () => {
  const server = await startEsploraServer(node);
  const standIn = createEsploraSource({
    url: server.url,
    currency: 'LTC',
    clock: systemClock,
    minPauseMs: 0,
  });
  const own = createNodeSource(node.url);
  const { height, hash } = await own.getTip();
  const { timeMs } = await own.getHeader(hash);
  server.invent(inventBlocks('LTC', { height, hash, timeMs }, [[]], 'no work'));
  const sources = open([own], [standIn]);
  const inspector = inspectorOf(sources);
  const watcher = startWatcher(harness.open(), {
    sources: new Map([['LTC', sources]]),
    inspector,
    processId: 'inspecting',
    pollIntervalMs: 100,
  });
  await waitUntil(async () => (await loadSourceReports(harness.store)).length === 2, { what: 'reports' });
  const reports = await loadSourceReports(harness.store);
  expect(reports.find(({ name }) => name === new URL(server.url).host)).toMatchObject({
    invalidData: expect.stringMatching(/does not meet its target/),
  });
  expect(reports.find(({ name }) => name === new URL(node.url).host)).toMatchObject({
    invalidData: null,
    fault: null,
  });
  await watcher.stop();
  await server.close();
});
