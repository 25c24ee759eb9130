import type { Figure, Measure, Terminal } from '@paywatch/dev/commands';
import { withOwnCore } from '../shared/own-core.ts';
import { percentile } from '../shared/percentile.ts';
import { assertOpenFiles } from '../shared/process-limits.ts';
import {
  figuresOf,
  measureIdle,
  measureTogether,
  SECONDS,
  startContender,
  type Contender,
} from './contenders.ts';
import { cleanNowMs, overlaySender, startBareSender, statusSender } from './stream-senders.ts';
import { setStreamStage, type StreamStage } from './stream-stage.ts';

/*
 * 10,000 streams of one overlay, then 10,000 streams of as many invoices, at one API replica. The complete path is measured:
 * commit, publication through Redis, the replica's read, its writes. The baseline is a bare Node server that writes one buffer
 * of the same length to each of as many sockets. Every server has its own process of clients, which run the same code.
 *
 * Then 20,000 streams of one overlay at two replicas, against two bare servers: with real names and messages, and the settings with all
 * tiers, whose changes must reach all clients, too. Two replicas, because a process has 20,000 open files on many machines.
 *
 * Latency: one event at a time, from its publication (after the commit) until the last client has received it. All streams are
 * open and the servers take turns, because the speed of a machine changes over time. The servers' main threads have a core of
 * their own, as they would without a benchmark. Throughput: up to 16 events are on their way to every client of one server, and
 * a server may combine waiting events in one write. Of an invoice only the newest version is sent; it counts as the delivery of
 * the versions that it replaces.
 */

const STREAMS = 10_000;
const AUDIENCE = { streams: 20_000, replicas: 2 };
/** The bare server's messages have the length of those that they are compared with. */
const OVERLAY_BYTES = 215;
const STATUS_BYTES = 1150;
const AUDIENCE_BYTES = 370;
/** Changes of the settings; there are 200 numbers for them. */
const CHANGES = 20;

export const run: Measure = async ({ terminal, share, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const streams = Math.ceil(STREAMS * share);
  assertOpenFiles(streams);
  const stage = await terminal.step('Starting Postgres, Redis and an API replica', () =>
    setStreamStage(parts, streams),
  );
  const bare = await startContender(parts, 1, () =>
    startBareSender(parts, { streams, messageBytes: OVERLAY_BYTES }),
  );
  const place = { replicas: [stage.api], overlay: stage.overlay };
  const overlay = await startContender(parts, 1, (clients) => overlaySender(place, clients, streams));
  await measureTogether(terminal, [bare, overlay], seconds);
  // Memory that the overlay's streams have freed would hide the memory of the invoices' streams.
  await stage.api.restart();
  const bareStatus = await startContender(parts, 1, () =>
    startBareSender(parts, { streams, messageBytes: STATUS_BYTES }),
  );
  const status = await startContender(parts, 1, (clients) => statusSender(stage, clients, streams));
  await measureTogether(terminal, [bareStatus, status], seconds);
  return [
    ...figuresOf('', bare, overlay),
    ...figuresOf('status_', bareStatus, status),
    ...(await measureAudience(parts, stage, { terminal, share, seconds })),
  ];
};

type Run = { terminal: Terminal; share: number; seconds: number };

async function measureAudience(
  parts: AsyncDisposableStack,
  stage: StreamStage,
  { terminal, share, seconds }: Run,
): Promise<Figure[]> {
  const servers = AUDIENCE.replicas;
  const streams = Math.ceil(AUDIENCE.streams * share);
  const { designedOverlay } = stage;
  await designedOverlay.changeSettings(1);
  // Overlays share one sequence of positions: one without donations begins at 0, and its first position would count as a gap.
  await designedOverlay.donate(1);
  const replicas = await Promise.all(Array.from({ length: servers }, stage.addReplica));
  const bare = await startContender(parts, servers, () =>
    startBareSender(parts, { streams, messageBytes: AUDIENCE_BYTES, servers }),
  );
  const place = { replicas, overlay: designedOverlay };
  const overlay = await startContender(parts, servers, (clients) => overlaySender(place, clients, streams));
  const settingsMs: number[] = [];
  await measureTogether(terminal, [bare, overlay], seconds, async () => {
    await terminal.step('Changes of the settings', () => measureSettings(stage, overlay, settingsMs));
    await terminal.step('Heartbeats alone', () => measureIdle(overlay));
  });
  return [
    ...figuresOf('audience_', bare, overlay),
    ...costsOf('audience_bare_', bare),
    ...costsOf('audience_', overlay),
    { name: 'audience_open_cpu_us', value: overlay.cpuUs.open },
    { name: 'audience_idle_cpu_us_per_second', value: overlay.cpuUs.idle },
    { name: 'audience_settings_p50_ms', value: percentile(settingsMs, 0.5) },
    { name: 'audience_settings_p99_ms', value: percentile(settingsMs, 0.99), reach: { atMost: 1000 } },
  ];
}

/** The time from the commit of a change until the last client has it. */
async function measureSettings(
  { designedOverlay }: StreamStage,
  { clients, sender }: Contender,
  settingsMs: number[],
): Promise<void> {
  const pids = sender.servers.map(({ pid }) => pid);
  await withOwnCore(pids, async () => {
    for (let number = 2; number <= CHANGES + 1; number += 1) {
      const sentMs = cleanNowMs();
      await designedOverlay.changeSettings(number);
      settingsMs.push((await clients.changed(number)) - sentMs);
    }
  });
}

/** The CPU time of the servers for one delivery, in microseconds: of single events, and at the maximum rate. */
function costsOf(prefix: string, { cpuUs }: Contender): Figure[] {
  return [
    { name: `${prefix}single_cpu_us`, value: cpuUs.single },
    { name: `${prefix}cpu_us`, value: cpuUs.saturated },
  ];
}
