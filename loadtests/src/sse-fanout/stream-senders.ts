import { freePort } from '@paywatch/dev/servers';
import { spawnService } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request } from 'undici';
import type { StreamClients } from './stream-clients.ts';
import type { StreamStage } from './stream-stage.ts';

/** A server of event streams, and how something is sent through it to every client. */
export type StreamSender = {
  title: string;
  port: number;
  pid: number;
  /** One for each client. */
  paths: readonly string[];
  /** Which line of a message says its position. */
  positionLine: 'id' | 'data';
  /** Whether every position must come; else the newest is enough. */
  every: boolean;
  /** Sends as much as it can for so long. */
  saturate(ms: number): Promise<void>;
  /** Sends one message to every client. Returns when it was handed over, epoch milliseconds, and its position. */
  send(): Promise<{ sentMs: number; position: number }>;
};

/** Positions on their way while throughput is measured: enough to keep a server busy, and what it may write at once. */
const WINDOW = 16;
const DONATIONS_PER_COMMIT = 4;
/** As many as a watcher settles in one transaction. */
const CHANGES_PER_COMMIT = 200;
/** Transactions of changes at once: one after the other they would leave the replica idle. */
const WRITERS = 8;

/** The bare server; its messages have so many bytes. */
export async function startBareSender(
  parts: AsyncDisposableStack,
  { streams, messageBytes }: { streams: number; messageBytes: number },
): Promise<StreamSender> {
  const port = await freePort();
  const server = await spawnService({
    name: 'bare',
    entry: 'loadtests/src/sse-fanout/bare-stream-server.ts',
    folder: temporaryFolder('bench'),
    env: { PORT: String(port), ADMIN_PORT: String(port) },
  });
  parts.defer(server.stop);
  const post = async (path: string): Promise<string> => {
    const answer = await request(`http://127.0.0.1:${port}${path}`, { method: 'POST', headersTimeout: 0 });
    return answer.body.text();
  };
  return {
    title: `Bare server, ${messageBytes} bytes`,
    port,
    pid: server.pid,
    paths: Array.from({ length: streams }, () => '/stream'),
    positionLine: 'id',
    every: true,
    saturate: async (ms) => void (await post(`/saturate?size=${messageBytes}&ms=${ms}`)),
    send: async () => {
      const sentMs = cleanNowMs();
      return { sentMs, position: Number(await post(`/publish?size=${messageBytes}`)) };
    },
  };
}

/** Donations of one project, at clients of its overlay. */
export function overlaySender(stage: StreamStage, clients: StreamClients, streams: number): StreamSender {
  return {
    title: 'Overlay',
    ...placeOf(stage),
    paths: Array.from({ length: streams }, () => stage.overlayPath),
    positionLine: 'id',
    every: true,
    saturate: (ms) =>
      keepBusy({ clients, ms, window: WINDOW * streams }, async () => {
        await stage.donate(DONATIONS_PER_COMMIT);
        return DONATIONS_PER_COMMIT * streams;
      }),
    send: async () => {
      let sentMs = 0;
      const position = await stage.donate(1, () => (sentMs = cleanNowMs()));
      return { sentMs, position };
    },
  };
}

/** New versions of all invoices at once, as a block makes them, each at the one client of that invoice. */
export function statusSender(stage: StreamStage, clients: StreamClients, streams: number): StreamSender {
  let version = 1;
  let next = 0;
  return {
    title: 'Status',
    ...placeOf(stage),
    paths: stage.statusPaths,
    positionLine: 'id',
    every: false,
    saturate: async (ms) => {
      await keepBusy({ clients, ms, window: WINDOW * streams, writers: WRITERS }, async () => {
        const from = next;
        const to = Math.min(from + CHANGES_PER_COMMIT, streams);
        next = to % streams;
        if (next === 0) version += 1;
        await stage.change(from, to);
        return to - from;
      });
      // All have the same version again.
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

function placeOf({ api }: StreamStage): { port: number; pid: number } {
  if (api.port === undefined) throw new Error('an API replica has a port');
  return { port: api.port, pid: api.process().pid };
}

/** Causes more whenever fewer deliveries than the window are outstanding. `cause` returns how many it will make. */
export async function keepBusy(
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
 * Now, with no garbage left in this process: to make an event of 10,000 versions leaves so much that its collection would else
 * hold up the sender, and take a core from the clients, at a moment that says nothing about the server.
 */
function cleanNowMs(): number {
  collectGarbage();
  return nowMs();
}

/** Epoch milliseconds, finer than whole ones; the same in every thread. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
