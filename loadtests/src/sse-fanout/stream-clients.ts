import { waitUntil } from '@paywatch/dev/testing';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What the process of the clients is asked for. */
export type ClientsRequest =
  | {
      kind: 'open';
      port: number;
      /** Clients come from addresses in 127.N.0.0/16. */
      network: number;
      /** One client for each. */
      paths: readonly string[];
      positionLine: 'id' | 'data';
      /** Whether every position must come, as donations must; else the newest is enough. */
      every: boolean;
    }
  | { kind: 'close' };

/** What the clients have seen since they were opened. */
export type ClientCounts = {
  open: number;
  delivered: number;
  /** Positions that a client never had although it had a later one. */
  gaps: number;
  /** Positions that a client had again, or after a later one. */
  repeats: number;
  closed: number;
  /** Positions that all clients have had since this was told last, and when: epoch milliseconds, finer than whole ones. */
  reached: [position: number, atMs: number][];
};

export function noCounts(): ClientCounts {
  return { open: 0, delivered: 0, gaps: 0, repeats: 0, closed: 0, reached: [] };
}

/** Many clients of event streams. */
export type StreamClients = {
  open(opening: Omit<Extract<ClientsRequest, { kind: 'open' }>, 'kind' | 'network'>): Promise<void>;
  counts(): ClientCounts;
  /** When the last of all clients had the position. */
  reached(position: number): Promise<number>;
  /** Closes all of them, so that others can be opened. */
  close(): Promise<void>;
  stop(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('./stream-client-process.ts', import.meta.url));
let networks = 0;

/** Starts their process, without a client. */
export function startStreamClients(): StreamClients {
  const child = fork(PROGRAM);
  const ended = once(child, 'exit');
  const reached = new Map<number, number>();
  let counts = noCounts();
  let hasEnded = false;
  child.on('exit', () => (hasEnded = true));
  child.on('message', (told: ClientCounts) => {
    counts = told;
    for (const [position, atMs] of told.reached) reached.set(position, atMs);
  });
  const ask = (request: ClientsRequest): void => void child.send(request);
  const until = async (what: string, look: () => boolean): Promise<void> => {
    await waitUntil(() => hasEnded || look(), { what, everyMs: 2 });
    if (hasEnded) throw new Error('the process of the clients has ended: it has said why');
  };
  return {
    counts: () => counts,
    open: async ({ port, paths, positionLine, every }) => {
      networks += 1;
      ask({ kind: 'open', port, network: networks, paths, positionLine, every });
      const all = paths.length;
      await until(`${all} open streams`, () => counts.open === all);
    },
    reached: async (position) => {
      await until(`position ${position} at all clients`, () => reached.has(position));
      return reached.get(position) ?? Number.NaN;
    },
    close: async () => {
      reached.clear();
      ask({ kind: 'close' });
      await until('the end of all streams', () => counts.open === 0);
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
