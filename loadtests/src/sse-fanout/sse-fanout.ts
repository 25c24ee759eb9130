import type { Figure, Measure, Terminal } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOpenFiles, residentBytes } from '../shared/process-limits.ts';
import { withOwnCore } from '../shared/own-core.ts';
import { percentile } from '../shared/percentile.ts';
import { startStreamClients, type StreamClients } from './stream-clients.ts';
import { overlaySender, startBareSender, statusSender, type StreamSender } from './stream-senders.ts';
import { setStreamStage } from './stream-stage.ts';

/*
 * 10,000 streams of one overlay, then 10,000 streams of as many invoices, at one API replica. The complete path is measured:
 * commit, publication through Redis, the replica's read, its writes. The baseline is a bare Node server that writes one buffer
 * of the same length to each of as many sockets. Every server has its own process of clients, which run the same code.
 *
 * Latency: one event at a time, from its publication (after the commit) until the last client has received it. All streams are
 * open and the servers take turns, because the speed of a machine changes over time. The servers' main threads have a core of
 * their own, as they would without a benchmark. Throughput: up to 16 events are on their way to every client of one server, and
 * a server may combine waiting events in one write. Of an invoice only the newest version is sent; it counts as the delivery of
 * the versions that it replaces.
 */

const SECONDS = 60;
const STREAMS = 10_000;
/** The bare server's messages have the length of those that they are compared with. */
const OVERLAY_BYTES = 215;
const STATUS_BYTES = 1150;
/** Gives a process time to collect the garbage of 10,000 requests. */
const SETTLE_MS = 4000;
/** Events per server in a run of SECONDS. With fewer, the p99 would be the maximum. */
const EVENTS = 100;
/** Warm-up events, not counted. */
const FIRST_EVENTS = 10;
const APART_MS = 50;

/** A server, its clients and their measurements. */
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
  await measureTogether(terminal, [bare, overlay], seconds);
  // Memory that the overlay's streams have freed would hide the memory of the invoices' streams.
  await stage.api.restart();
  const bareStatus = await startContender(() =>
    startBareSender(parts, { streams, messageBytes: STATUS_BYTES }),
  );
  const status = await startContender((clients) => statusSender(stage, clients, streams));
  await measureTogether(terminal, [bareStatus, status], seconds);
  return [...figuresOf('', bare, overlay), ...figuresOf('status_', bareStatus, status)];
};

async function measureTogether(
  terminal: Terminal,
  contenders: readonly Contender[],
  seconds: number,
): Promise<void> {
  for (const contender of contenders) await openStreams(terminal, contender);
  const events = Math.ceil((EVENTS * seconds) / SECONDS);
  const pids = contenders.map(({ sender }) => sender.pid);
  await terminal.step('Latency of single events, servers in turns', () =>
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

/** Sends one event at a time: the next one leaves when all clients have received the last. */
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
    `${sender.title}: maximum rate`,
    async () => {
      await sender.saturate(ms / 4);
      const [before, startedMs] = [clients.counts().delivered, performance.now()];
      await sender.saturate(ms);
      return ((clients.counts().delivered - before) * 1000) / (performance.now() - startedMs);
    },
    (perSecond) => `${perSecond.toFixed(0)} deliveries per second`,
  );
}

/** A lost or repeated message would make the figures meaningless. */
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
