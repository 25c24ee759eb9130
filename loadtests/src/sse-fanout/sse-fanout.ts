import type { Figure, Measure, Terminal } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasNchan, startNchanSender } from './nchan-sender.ts';
import { assertOpenFiles, residentBytes } from '../shared/process-limits.ts';
import { withOwnCore } from '../scale-out/own-core.ts';
import { percentile } from '../shared/percentile.ts';
import { startStreamClients, type StreamClients } from './stream-clients.ts';
import { overlaySender, startBareSender, statusSender, type StreamSender } from './stream-senders.ts';
import { setStreamStage } from './stream-stage.ts';

/*
 * 10,000 streams of one overlay, then 10,000 streams of as many invoices, at one API replica. The path is the whole one:
 * commit, publication through Redis, the replica's read, its writes. Beside each a bare Node server writes one buffer of the
 * same length to each of as many sockets. The clients are the same for all, in a process of their own for each server.
 *
 * Latency: one event at a time, from its publication (after the commit) to the last client that has it. The servers take turns
 * while the streams of all are open, since a machine is slower at one time than at another, and their main threads have a core
 * for themselves, as they would have without a benchmark beside them. Throughput: up to 16 events are on their way to every
 * client of one server; those that pile up may leave in one write. Of an invoice only the newest version is sent, and counts
 * for all that it brings along.
 */

const SECONDS = 60;
const STREAMS = 10_000;
/** Messages of the bare server are as long as those of the streams that they stand beside. */
const OVERLAY_BYTES = 215;
const STATUS_BYTES = 1150;
/** Until a process has collected the garbage that 10,000 requests left. */
const SETTLE_MS = 4000;
/** At each server, in a run of SECONDS: a p99 of fewer would be the slowest. */
const EVENTS = 100;
/** Not counted: until then code is still being compiled. */
const FIRST_EVENTS = 10;
const APART_MS = 50;

/** A server, its clients, and what was measured of them. */
type Contender = {
  sender: StreamSender;
  clients: StreamClients;
  bytesPerStream: number;
  latenciesMs: number[];
  /** Deliveries per second. */
  rate: number;
};

export const run: Measure = async ({ terminal, share, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const streams = Math.ceil(STREAMS * share);
  assertOpenFiles(streams);
  const stage = await terminal.step('Starting Postgres, Redis and an API replica', () =>
    setStreamStage(parts, streams),
  );
  const startContender = async (
    start: (clients: StreamClients) => StreamSender | Promise<StreamSender>,
  ): Promise<Contender> => {
    const clients = startStreamClients();
    parts.defer(clients.stop);
    return { sender: await start(clients), clients, bytesPerStream: 0, latenciesMs: [], rate: 0 };
  };
  const bare = await startContender(() => startBareSender(parts, { streams, messageBytes: OVERLAY_BYTES }));
  const overlay = await startContender((clients) => overlaySender(stage, clients, streams));
  const nchan = hasNchan()
    ? await startContender((clients) =>
        startNchanSender(parts, clients, { streams, messageBytes: OVERLAY_BYTES }),
      )
    : null;
  if (nchan === null)
    terminal.line('  nginx with nchan is not installed (Debian: nginx libnginx-mod-nchan): not compared');
  await measureTogether(terminal, nchan === null ? [bare, overlay] : [bare, overlay, nchan], seconds);
  // So that what its streams of invoices take is not hidden by what those of the overlay have left.
  await stage.api.restart();
  const bareStatus = await startContender(() =>
    startBareSender(parts, { streams, messageBytes: STATUS_BYTES }),
  );
  const status = await startContender((clients) => statusSender(stage, clients, streams));
  await measureTogether(terminal, [bareStatus, status], seconds);
  return [
    ...figuresOf('', bare, overlay),
    ...(nchan === null ? [] : figuresBeside(overlay, nchan)),
    ...figuresOf('status_', bareStatus, status),
  ];
};

async function measureTogether(
  terminal: Terminal,
  contenders: readonly Contender[],
  seconds: number,
): Promise<void> {
  for (const contender of contenders) await openStreams(terminal, contender);
  const events = Math.ceil((EVENTS * seconds) / SECONDS);
  const pids = contenders.map(({ sender }) => sender.pid);
  await terminal.step('Events apart, by turns', () =>
    withOwnCore(pids, () => measureLatencies(contenders, events)),
  );
  for (const contender of contenders) await measureRate(terminal, contender, (seconds * 1000) / 10);
  for (const { sender, clients } of contenders) {
    assertWhole(clients, sender.title);
    await clients.close();
  }
}

async function openStreams(terminal: Terminal, contender: Contender): Promise<void> {
  const { sender, clients } = contender;
  const idleBytes = residentBytes(sender.pid);
  const title = `${sender.title}: opening ${sender.paths.length} streams`;
  await terminal.step(title, () => clients.open(sender));
  await sleep(SETTLE_MS);
  contender.bytesPerStream = (residentBytes(sender.pid) - idleBytes) / sender.paths.length;
}

/** One event after the other has reached all clients of its server. */
async function measureLatencies(contenders: readonly Contender[], events: number): Promise<void> {
  for (let n = -FIRST_EVENTS; n < events; n += 1)
    for (const { sender, clients, latenciesMs } of contenders) {
      await sleep(APART_MS);
      const { sentMs, position } = await sender.send();
      const latencyMs = (await clients.reached(position)) - sentMs;
      if (n >= 0) latenciesMs.push(latencyMs);
    }
}

async function measureRate(terminal: Terminal, contender: Contender, ms: number): Promise<void> {
  const { sender, clients } = contender;
  contender.rate = await terminal.step(
    `${sender.title}: as much as it can`,
    async () => {
      await sender.saturate(ms / 4);
      const [before, startedMs] = [clients.counts().delivered, performance.now()];
      await sender.saturate(ms);
      return ((clients.counts().delivered - before) * 1000) / (performance.now() - startedMs);
    },
    (perSecond) => `${perSecond.toFixed(0)} deliveries per second`,
  );
}

/** Figures of streams that lost something would be worth nothing. */
function assertWhole(clients: StreamClients, title: string): void {
  const { gaps, repeats, closed } = clients.counts();
  if (gaps + repeats + closed > 0)
    throw new Error(`${title}: ${gaps} gaps, ${repeats} repeats, ${closed} streams ended`);
}

function figuresOf(prefix: string, bare: Contender, api: Contender): Figure[] {
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
function figuresBeside(overlay: Contender, nchan: Contender): Figure[] {
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
