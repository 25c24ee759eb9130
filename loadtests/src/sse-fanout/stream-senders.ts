import { freePort } from '@paywatch/dev/servers';
import { spawnService, type StackService } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request } from 'undici';
import type { StreamClients } from './stream-clients.ts';
import type { BenchOverlay, StreamStage } from './stream-stage.ts';

/** An event stream server, and how to send messages to all of its clients. */
export type StreamSender = {
  title: string;
  servers: readonly { port: number; pid: number }[];
  /** One path per client. */
  paths: readonly string[];
  /** Whether every position must arrive. Otherwise newer ones replace older ones. */
  every: boolean;
  /** Whether the clients request the settings of their overlay. */
  includesSettings: boolean;
  /** Sends as many messages as possible for `ms`. */
  saturate(ms: number): Promise<void>;
  /** Sends one message to every client. Returns its position and when it was sent, epoch milliseconds. */
  send(): Promise<{ sentMs: number; position: number }>;
};

/** Positions in flight while throughput is measured: enough to keep a server busy, and the most that it can combine in a write. */
const WINDOW = 16;
const DONATIONS_PER_COMMIT = 4;
/** The number of invoices that a watcher settles in one transaction. */
const CHANGES_PER_COMMIT = 200;
/** Concurrent transactions: a single writer would leave the replica idle. Two that change the same invoices could deadlock. */
const MAX_WRITERS = 8;

/** Starts bare servers with messages of `messageBytes`, and an equal part of the streams each. */
export async function startBareSender(
  parts: AsyncDisposableStack,
  { streams, messageBytes, servers: count = 1 }: { streams: number; messageBytes: number; servers?: number },
): Promise<StreamSender> {
  const servers = await Promise.all(Array.from({ length: count }, () => startBareServer(parts)));
  const post = (path: string): Promise<string[]> =>
    Promise.all(servers.map(({ port }) => postTo(`http://127.0.0.1:${port}${path}`)));
  return {
    title: `Bare server, ${messageBytes} bytes`,
    servers,
    paths: Array.from({ length: streams }, () => '/stream'),
    every: true,
    includesSettings: false,
    saturate: async (ms) => void (await post(`/saturate?size=${messageBytes}&ms=${ms}`)),
    send: async () => {
      const sentMs = cleanNowMs();
      const [position] = await post(`/publish?size=${messageBytes}`);
      return { sentMs, position: Number(position) };
    },
  };
}

async function startBareServer(parts: AsyncDisposableStack): Promise<{ port: number; pid: number }> {
  const port = await freePort();
  const server = await spawnService({
    name: 'bare',
    entry: 'loadtests/src/sse-fanout/bare-stream-server.ts',
    folder: temporaryFolder('bench'),
    env: { PORT: String(port), ADMIN_PORT: String(port) },
  });
  parts.defer(server.stop);
  return { port, pid: server.pid };
}

async function postTo(url: string): Promise<string> {
  const answer = await request(url, { method: 'POST', headersTimeout: 0 });
  return answer.body.text();
}

/** The replicas and the overlay whose donations are sent. */
export type OverlayPlace = { replicas: readonly StackService[]; overlay: BenchOverlay };

/** Sends donations of one project to the clients of its overlay, an equal part of them at each replica. */
export function overlaySender(
  { replicas, overlay }: OverlayPlace,
  clients: StreamClients,
  streams: number,
): StreamSender {
  return {
    title: overlay.title,
    servers: replicas.map(placeOf),
    paths: Array.from({ length: streams }, () => overlay.path),
    every: true,
    includesSettings: overlay.includesSettings,
    saturate: (ms) =>
      keepBusy({ clients, ms, window: WINDOW * streams }, async () => {
        await overlay.donate(DONATIONS_PER_COMMIT);
        return DONATIONS_PER_COMMIT * streams;
      }),
    send: async () => {
      let sentMs = 0;
      const position = await overlay.donate(1, () => (sentMs = cleanNowMs()));
      return { sentMs, position };
    },
  };
}

/** Changes all invoices, as a block does. Each invoice has one client. */
export function statusSender(stage: StreamStage, clients: StreamClients, streams: number): StreamSender {
  let version = 1;
  let next = 0;
  const writers = Math.min(MAX_WRITERS, Math.ceil(streams / CHANGES_PER_COMMIT / 2));
  return {
    title: 'Status',
    servers: [placeOf(stage.api)],
    paths: stage.statusPaths,
    every: false,
    includesSettings: false,
    saturate: async (ms) => {
      await keepBusy({ clients, ms, window: WINDOW * streams, writers }, async () => {
        const from = next;
        const to = Math.min(from + CHANGES_PER_COMMIT, streams);
        next = to % streams;
        if (next === 0) version += 1;
        await stage.change(from, to);
        return to - from;
      });
      // Bring all invoices back to the same version.
      if (next > 0) [version] = [version + 1, await stage.change(next, streams)];
      next = 0;
    },
    send: async () => {
      let sentMs = 0;
      version += 1;
      await stage.change(0, streams, () => (sentMs = cleanNowMs()));
      return { sentMs, position: version };
    },
  };
}

/** The port of a replica, and the process that has it now: a restart replaces it. */
function placeOf(api: StackService): { port: number; pid: number } {
  if (api.port === undefined) throw new Error('the API replica has no port');
  return { port: api.port, pid: api.process().pid };
}

/** Calls `cause` whenever fewer deliveries than `window` are outstanding. `cause` returns the deliveries that it leads to. */
async function keepBusy(
  {
    clients,
    ms,
    window,
    writers = 1,
  }: { clients: StreamClients; ms: number; window: number; writers?: number },
  cause: () => Promise<number>,
): Promise<void> {
  const before = clients.counts().delivered;
  const untilMs = performance.now() + ms;
  let caused = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      if (caused - (clients.counts().delivered - before) >= window) await sleep(1);
      else caused += await cause();
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * The time (epoch milliseconds), after a garbage collection of this process: an event of 10,000 versions leaves so much garbage
 * that a later collection would delay the sender and the clients, and count as latency of the server.
 */
export function cleanNowMs(): number {
  collectGarbage();
  return nowMs();
}

/** Epoch milliseconds with fractions, comparable between processes. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
