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
};

export function noCounts(): ClientCounts {
  return { open: 0, delivered: 0, gaps: 0, repeats: 0, closed: 0, reached: [] };
}

/** Thousands of event stream clients in their own process. */
export type StreamClients = {
  open(opening: Omit<Extract<ClientsRequest, { kind: 'open' }>, 'kind' | 'network'>): Promise<void>;
  counts(): ClientCounts;
  /** When the last client received the position. */
  reached(position: number): Promise<number>;
  /** Closes all clients; others can then be opened. */
  close(): Promise<void>;
  stop(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('./stream-client-process.ts', import.meta.url));
let networks = 0;

/** Starts the process, without clients. */
export function startStreamClients(): StreamClients {
  const child = fork(PROGRAM);
  const ended = once(child, 'exit');
  const reached = new Map<number, number>();
  let counts = noCounts();
  let hasEnded = false;
  child.on('exit', () => (hasEnded = true));
  child.on('message', (report: ClientCounts) => {
    counts = report;
    for (const [position, atMs] of report.reached) reached.set(position, atMs);
  });
  const send = (request: ClientsRequest): void => void child.send(request);
  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    await waitUntil(() => hasEnded || isTrue(), { what, everyMs: 2 });
    if (hasEnded) throw new Error('the process of the clients has ended; see its output above');
  };
  return {
    counts: () => counts,
    open: async ({ port, paths, every }) => {
      networks += 1;
      send({ kind: 'open', port, network: networks, paths, every });
      const all = paths.length;
      await until(`${all} open streams`, () => counts.open === all);
    },
    reached: async (position) => {
      await until(`position ${position} at all clients`, () => reached.has(position));
      return reached.get(position) ?? Number.NaN;
    },
    close: async () => {
      reached.clear();
      send({ kind: 'close' });
      await until('the end of all streams', () => counts.open === 0);
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
