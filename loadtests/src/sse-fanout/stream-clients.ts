import { waitUntil } from '@paywatch/dev/testing';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request to the process of the clients. */
export type ClientsRequest =
  | {
      kind: 'open';
      port: number;
      /** The clients' addresses are in 127.N.0.0/16. */
      network: number;
      /** One client per path. */
      paths: readonly string[];
      /** Whether every position must arrive, as for donations. Otherwise newer ones replace older ones. */
      every: boolean;
      /** Whether the clients request the settings of their overlay. */
      includesSettings: boolean;
    }
  | { kind: 'close' };

/** What the clients have received since they were opened. */
export type ClientCounts = {
  open: number;
  delivered: number;
  /** Skipped positions: a client received a later one. */
  gaps: number;
  /** Positions received twice, or after a later one. */
  repeats: number;
  closed: number;
  /** Positions that all clients have received since the last report, and when: epoch milliseconds with fractions. */
  reached: [position: number, atMs: number][];
  /** The same for changes of the settings. */
  changed: [number: number, atMs: number][];
};

export function noCounts(): ClientCounts {
  return { open: 0, delivered: 0, gaps: 0, repeats: 0, closed: 0, reached: [], changed: [] };
}

/** The clients to open, and their servers: each server has an equal part of them. */
type ClientsOpening = Omit<Extract<ClientsRequest, { kind: 'open' }>, 'kind' | 'network' | 'port'> & {
  servers: readonly { port: number }[];
};

/** Thousands of event stream clients in processes of their own. */
export type StreamClients = {
  open(opening: ClientsOpening): Promise<void>;
  counts(): Omit<ClientCounts, 'reached' | 'changed'>;
  /** When the last client received the position. */
  reached(position: number): Promise<number>;
  /** When the last client received this change of the settings. */
  changed(number: number): Promise<number>;
  /** Closes all clients; others can then be opened. */
  close(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts `processes` of them, one for each server, without clients. */
export function startStreamClients(processes = 1): StreamClients {
  const parts = Array.from({ length: processes }, startProcess);
  const lastOf = async (each: (part: ClientProcess) => Promise<number>): Promise<number> =>
    Math.max(...(await Promise.all(parts.map(each))));
  const sum = (count: (counts: ClientCounts) => number): number =>
    parts.reduce((total, part) => total + count(part.counts()), 0);
  return {
    open: async ({ servers, paths, ...opening }) => {
      const share = Math.ceil(paths.length / processes);
      const openPart = (part: ClientProcess, index: number) =>
        part.open({
          ...opening,
          port: servers[index]?.port ?? 0,
          paths: paths.slice(index * share, (index + 1) * share),
        });
      await Promise.all(parts.map(openPart));
    },
    counts: () => ({
      open: sum(({ open }) => open),
      delivered: sum(({ delivered }) => delivered),
      gaps: sum(({ gaps }) => gaps),
      repeats: sum(({ repeats }) => repeats),
      closed: sum(({ closed }) => closed),
    }),
    reached: (position) => lastOf((part) => part.reached(position)),
    changed: (number) => lastOf((part) => part.changed(number)),
    close: async () => void (await Promise.all(parts.map((part) => part.close()))),
    stop: async () => void (await Promise.all(parts.map((part) => part.stop()))),
  };
}

const PROGRAM = fileURLToPath(new URL('./stream-client-process.ts', import.meta.url));
let networks = 0;

type ClientProcess = ReturnType<typeof startProcess>;

function startProcess() {
  const child = fork(PROGRAM);
  const ended = once(child, 'exit');
  const reached = new Map<number, number>();
  const changed = new Map<number, number>();
  let counts = noCounts();
  let hasEnded = false;
  child.on('exit', () => (hasEnded = true));
  child.on('message', (report: ClientCounts) => {
    counts = report;
    for (const [position, atMs] of report.reached) reached.set(position, atMs);
    for (const [number, atMs] of report.changed) changed.set(number, atMs);
  });
  const send = (request: ClientsRequest): void => void child.send(request);
  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    await waitUntil(() => hasEnded || isTrue(), { what, everyMs: 2 });
    if (hasEnded) throw new Error('the process of the clients has ended; see its output above');
  };
  const when = async (times: ReadonlyMap<number, number>, key: number, what: string): Promise<number> => {
    await until(`${what} ${key} at all clients`, () => times.has(key));
    return times.get(key) ?? Number.NaN;
  };
  return {
    counts: () => counts,
    open: async (opening: Omit<Extract<ClientsRequest, { kind: 'open' }>, 'kind' | 'network'>) => {
      networks += 1;
      send({ kind: 'open', network: networks, ...opening });
      const all = opening.paths.length;
      await until(`${all} open streams`, () => counts.open === all);
    },
    reached: (position: number) => when(reached, position, 'position'),
    changed: (number: number) => when(changed, number, 'settings'),
    close: async () => {
      reached.clear();
      changed.clear();
      send({ kind: 'close' });
      await until('the end of all streams', () => counts.open === 0);
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
