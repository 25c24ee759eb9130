import type { Figure, Measure, Terminal } from '@paywatch/dev';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNchanSender } from './nchan-sender.ts';
import { assertOpenFiles, residentBytes } from './process-limits.ts';
import { percentile } from './percentile.ts';
import { startStreamClients, type StreamClients } from './stream-clients.ts';
import { overlaySender, startBareSender, statusSender, type StreamSender } from './stream-senders.ts';
import { setStreamStage } from './stream-stage.ts';

/*
 * 10,000 streams of one overlay, then 10,000 streams of as many invoices, at one API replica. The path is the whole one:
 * commit, publication through Redis, the replica's read, its writes. Beside each a bare Node server writes one buffer of the
 * same length to each of as many sockets. The clients are the same for all, on a thread of their own.
 *
 * Throughput: up to 16 events are on their way to every client; those that pile up may leave in one write. Of an invoice only
 * the newest version is sent, and counts for all that it brings along. Latency: one event at a time, from its publication (after
 * the commit) to the last client that has it.
 */

const SECONDS = 60;
const STREAMS = 10_000;
/** Messages of the bare server are as long as those of the streams that they stand beside. */
const OVERLAY_BYTES = 215;
const STATUS_BYTES = 1150;
/** Until a process has collected the garbage that 10,000 requests left. */
const SETTLE_MS = 4000;
const APART_MS = 150;
/** An invoice that has changed all the time is told of every five seconds at most: no event after that is held up by it. */
const CALM_MS = 5500;

type Measured = { rate: number; latenciesMs: readonly number[]; bytesPerStream: number };

export const run: Measure = async ({ terminal, share, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const streams = Math.ceil(STREAMS * share);
  assertOpenFiles(streams);
  const stage = await terminal.step('Starting Postgres, Redis and an API replica', () =>
    setStreamStage(parts, streams),
  );
  const clients = startStreamClients();
  parts.defer(clients.stop);
  const measure = (sender: StreamSender) => measureSender(terminal, clients, sender, (seconds * 1000) / 10);
  const bare = await measure(await startBareSender(parts, { streams, messageBytes: OVERLAY_BYTES }));
  const overlay = await measure(overlaySender(stage, clients, streams));
  const nchan = await startNchanSender(parts, clients, { streams, messageBytes: OVERLAY_BYTES });
  if (nchan === null)
    terminal.line('  nginx with nchan is not installed (Debian: nginx libnginx-mod-nchan): not compared');
  const beside = nchan === null ? [] : figuresBeside(overlay, await measure(nchan));
  // So that what its streams of invoices take is not hidden by what those of the overlay have left.
  await stage.api.restart();
  const bareStatus = await measure(await startBareSender(parts, { streams, messageBytes: STATUS_BYTES }));
  const status = await measure(statusSender(stage, clients, streams));
  return [...figuresOf('', bare, overlay), ...beside, ...figuresOf('status_', bareStatus, status)];
};

async function measureSender(
  terminal: Terminal,
  clients: StreamClients,
  sender: StreamSender,
  phaseMs: number,
): Promise<Measured> {
  const { title, paths } = sender;
  const idleBytes = residentBytes(sender.pid);
  await terminal.step(`${title}: opening ${paths.length} streams`, () => clients.open(sender));
  await sleep(SETTLE_MS);
  const bytesPerStream = (residentBytes(sender.pid) - idleBytes) / paths.length;
  const rate = await terminal.step(
    `${title}: as much as it can`,
    () => measureRate(clients, sender, phaseMs),
    (perSecond) => `${perSecond.toFixed(0)} deliveries per second`,
  );
  const latenciesMs = await terminal.step(
    `${title}: events apart`,
    () => measureLatencies(clients, sender, phaseMs),
    (found) => `${found.length} events, p99 to the last client ${percentile(found, 0.99).toFixed(0)} ms`,
  );
  assertWhole(clients, title);
  await clients.close();
  return { rate, latenciesMs, bytesPerStream };
}

async function measureRate(clients: StreamClients, sender: StreamSender, ms: number): Promise<number> {
  await sender.saturate(ms / 4);
  const [before, startedMs] = [clients.counts().delivered, performance.now()];
  await sender.saturate(ms);
  return ((clients.counts().delivered - before) * 1000) / (performance.now() - startedMs);
}

/** One event after the other has reached all clients. */
async function measureLatencies(clients: StreamClients, sender: StreamSender, ms: number): Promise<number[]> {
  // What throughput has left on its way comes first.
  await clients.reached((await sender.send()).position);
  await sleep(CALM_MS);
  const found: number[] = [];
  for (const untilMs = performance.now() + ms; performance.now() < untilMs;) {
    await sleep(APART_MS);
    const { sentMs, position } = await sender.send();
    found.push((await clients.reached(position)) - sentMs);
  }
  return found;
}

/** Figures of streams that lost something would be worth nothing. */
function assertWhole(clients: StreamClients, title: string): void {
  const { gaps, repeats, closed } = clients.counts();
  if (gaps + repeats + closed > 0)
    throw new Error(`${title}: ${gaps} gaps, ${repeats} repeats, ${closed} streams ended`);
}

function figuresOf(prefix: string, bare: Measured, api: Measured): Figure[] {
  const [bareP50, bareP99] = [percentile(bare.latenciesMs, 0.5), percentile(bare.latenciesMs, 0.99)];
  const [p50, p99] = [percentile(api.latenciesMs, 0.5), percentile(api.latenciesMs, 0.99)];
  const figures: Figure[] = [
    { name: 'bare_per_second', value: Math.round(bare.rate) },
    { name: 'delivered_per_second', value: Math.round(api.rate) },
    { name: 'rate_ratio', value: api.rate / bare.rate, reach: { atLeast: 0.8 }, aim: { atLeast: 1.2 } },
    { name: 'bare_p50_ms', value: bareP50 },
    { name: 'bare_p99_ms', value: bareP99 },
    { name: 'p50_ms', value: p50 },
    { name: 'p99_ms', value: p99 },
    { name: 'p99_ratio', value: p99 / bareP99, reach: { atMost: 1.5 }, aim: { atMost: 1.1 } },
    {
      name: 'bytes_per_stream',
      value: Math.round(api.bytesPerStream),
      reach: { atMost: 20_000 },
      aim: { atMost: 10_000 },
    },
  ];
  return figures.map((figure) => ({ ...figure, name: `${prefix}${figure.name}` }));
}

/** Told, and held to nothing: another program, which does less. */
function figuresBeside(overlay: Measured, nchan: Measured): Figure[] {
  return [
    { name: 'nchan_per_second', value: Math.round(nchan.rate) },
    { name: 'nchan_p50_ms', value: percentile(nchan.latenciesMs, 0.5) },
    { name: 'nchan_p99_ms', value: percentile(nchan.latenciesMs, 0.99) },
    { name: 'nchan_rate_ratio', value: overlay.rate / nchan.rate },
    {
      name: 'nchan_p99_ratio',
      value: percentile(overlay.latenciesMs, 0.99) / percentile(nchan.latenciesMs, 0.99),
    },
  ];
}
