import type { Figure, Terminal } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '../shared/cpu-time.ts';
import { withOwnCore } from '../shared/own-core.ts';
import { percentile } from '../shared/percentile.ts';
import { residentBytes } from '../shared/process-limits.ts';
import { startStreamClients, type StreamClients } from './stream-clients.ts';
import type { StreamSender } from './stream-senders.ts';

/** Duration of a comparison. */
export const SECONDS = 60;
/** Gives a process time to collect the garbage of 10,000 requests. */
const SETTLE_MS = 4000;
/** The API sends a comment to each stream this often. */
const HEARTBEAT_MS = 15_000;
/** Events per server in a run of SECONDS. With fewer, the p99 would be the maximum. */
const EVENTS = 100;
/** Beside other work a period may end before anything has arrived; a rate needs one message at every client. */
const MAX_PERIODS = 10;
/** Warm-up events, not counted. */
const FIRST_EVENTS = 10;
const APART_MS = 50;

/** Servers, their clients and their measurements. */
export type Contender = {
  sender: StreamSender;
  clients: StreamClients;
  bytesPerStream: number;
  latenciesMs: number[];
  /** Deliveries per second. */
  rate: number;
  cpuUs: CpuCosts;
};

/** CPU time of the servers in microseconds. */
type CpuCosts = {
  /** For opening one stream. */
  open: number;
  /** For one second of a stream without events: its heartbeats, and what the server does anyway. */
  idle: number;
  /** For one delivery of single events. */
  single: number;
  /** For one delivery at the maximum rate. */
  saturated: number;
};

/** Starts servers with `start`, and as many processes of clients. */
export async function startContender(
  parts: AsyncDisposableStack,
  servers: number,
  start: (clients: StreamClients) => StreamSender | Promise<StreamSender>,
): Promise<Contender> {
  const clients = startStreamClients(servers);
  parts.defer(clients.stop);
  const sender = await start(clients);
  const cpuUs = { open: 0, idle: 0, single: 0, saturated: 0 };
  return { sender, clients, bytesPerStream: 0, latenciesMs: [], rate: 0, cpuUs };
}

/** Opens all streams and measures latency and throughput. Calls `more` before the streams are closed. */
export async function measureTogether(
  terminal: Terminal,
  contenders: readonly Contender[],
  seconds: number,
  more: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  for (const contender of contenders) await openStreams(terminal, contender);
  const events = Math.ceil((EVENTS * seconds) / SECONDS);
  const pids = contenders.flatMap(pidsOf);
  await terminal.step('Latency of single events, servers in turns', () =>
    withOwnCore(pids, () => measureLatencies(contenders, events)),
  );
  for (const contender of contenders) await measureRate(terminal, contender, (seconds * 1000) / 10);
  await more();
  for (const { sender, clients } of contenders) {
    assertWhole(clients, sender.title);
    await clients.close();
  }
}

async function openStreams(terminal: Terminal, contender: Contender): Promise<void> {
  const { sender, clients } = contender;
  const resident = () => pidsOf(contender).reduce((sum, pid) => sum + residentBytes(pid), 0);
  const idleBytes = resident();
  const streams = sender.paths.length;
  const cpuBefore = cpuSeconds(pidsOf(contender));
  await terminal.step(`${sender.title}: opening ${streams} streams`, () => clients.open(sender));
  contender.cpuUs.open = ((cpuSeconds(pidsOf(contender)) - cpuBefore) * 1e6) / streams;
  await sleep(SETTLE_MS);
  contender.bytesPerStream = (resident() - idleBytes) / streams;
}

/** Sends nothing for as long as each stream gets one heartbeat. */
export async function measureIdle(contender: Contender): Promise<void> {
  const { sender, cpuUs } = contender;
  const cpuBefore = cpuSeconds(pidsOf(contender));
  await sleep(HEARTBEAT_MS);
  const cpu = cpuSeconds(pidsOf(contender)) - cpuBefore;
  cpuUs.idle = (cpu * 1e9) / HEARTBEAT_MS / sender.paths.length;
}

/** Sends one event at a time: the next one leaves when all clients have received the last. */
async function measureLatencies(contenders: readonly Contender[], events: number): Promise<void> {
  for (let n = -FIRST_EVENTS; n < events; n += 1)
    for (const contender of contenders) {
      await sleep(APART_MS);
      const { sender, clients } = contender;
      const cpuBefore = cpuSeconds(pidsOf(contender));
      const { sentMs, position } = await sender.send();
      const latencyMs = (await clients.reached(position)) - sentMs;
      if (n < 0) continue;
      contender.latenciesMs.push(latencyMs);
      const cpu = cpuSeconds(pidsOf(contender)) - cpuBefore;
      contender.cpuUs.single += (cpu * 1e6) / (events * sender.paths.length);
    }
}

async function measureRate(terminal: Terminal, contender: Contender, ms: number): Promise<void> {
  const { sender } = contender;
  contender.rate = await terminal.step(
    `${sender.title}: maximum rate`,
    async () => {
      await sender.saturate(ms / 4);
      return measureSaturated(contender, ms);
    },
    (perSecond) => `${perSecond.toFixed(0)} deliveries per second`,
  );
}

async function measureSaturated(contender: Contender, ms: number): Promise<number> {
  const { sender, clients, cpuUs } = contender;
  const [before, startedMs, cpuBefore] = [
    clients.counts().delivered,
    performance.now(),
    cpuSeconds(pidsOf(contender)),
  ];
  for (let period = 0; period < MAX_PERIODS; period += 1) {
    await sender.saturate(ms);
    if (clients.counts().delivered - before >= sender.paths.length) break;
  }
  const delivered = clients.counts().delivered - before;
  cpuUs.saturated = ((cpuSeconds(pidsOf(contender)) - cpuBefore) * 1e6) / delivered;
  return (delivered * 1000) / (performance.now() - startedMs);
}

function pidsOf({ sender }: Pick<Contender, 'sender'>): number[] {
  return sender.servers.map(({ pid }) => pid);
}

/** A lost or repeated message would make the figures meaningless. */
function assertWhole(clients: StreamClients, title: string): void {
  const { gaps, repeats, closed } = clients.counts();
  if (gaps + repeats + closed > 0)
    throw new Error(`${title}: ${gaps} gaps, ${repeats} repeats, ${closed} streams ended`);
}

/** What is compared with the bare server. */
export function figuresOf(prefix: string, bare: Contender, api: Contender): Figure[] {
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
