/** Thousands of event stream clients in one process, controlled by messages of `stream-clients.ts`. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { noCounts, type ClientsRequest } from './stream-clients.ts';
import { newStreamState, readStream, type StreamState } from './stream-reader.ts';

/** An address has about 28,000 ports, and finding a free one takes longer as they run out. */
const CLIENTS_PER_ADDRESS = 2500;
const OPENING_AT_ONCE = 200;
const REPORT_INTERVAL_MS = 5;
/** One read buffer for all sockets: it is parsed before the next read. */
const arrived = Buffer.alloc(256 * 1024);

const sockets: Socket[] = [];
let counts = noCounts();
/** Whether the counts have changed since the last report. */
let hasChanged = false;
/** Number of clients that have received a position, or a change of the settings, until all have. */
const received = new Map<number, number>();
const changed = new Map<number, number>();

process.on('message', (request: ClientsRequest) => {
  if (request.kind === 'open') void open(request);
  else closeAll();
});
// The benchmark has ended.
process.once('disconnect', () => process.exit());
setInterval(report, REPORT_INTERVAL_MS);

type Opening = Extract<ClientsRequest, { kind: 'open' }>;

async function open(opening: Opening): Promise<void> {
  const paths = opening.paths.entries();
  const openNext = async (): Promise<void> => {
    for (const [index, path] of paths) await openOne(opening, index, path);
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openNext));
}

async function openOne(opening: Opening, index: number, path: string): Promise<void> {
  const state = newStreamState();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({
    host: '127.0.0.1',
    port: opening.port,
    localAddress: addressOf(opening.network, index),
    onread: {
      buffer: arrived,
      callback: (length) => {
        read(opening, state, arrived.subarray(0, length));
        if (state.isOpen) resolve();
        return true;
      },
    },
  });
  socket.once('error', reject).once('close', () => {
    if (!sockets.includes(socket)) return;
    counts.closed += 1;
    hasChanged = true;
  });
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`);
  await promise;
  counts.open += 1;
  hasChanged = true;
}

/** A used port is blocked for a minute (TIME_WAIT), so every opening uses its own addresses. */
function addressOf(network: number, index: number): string {
  return `127.${network}.0.${1 + Math.floor(index / CLIENTS_PER_ADDRESS)}`;
}

function read(opening: Opening, state: StreamState, bytes: Buffer): void {
  readStream(state, bytes, {
    onPosition: (position) => {
      const before = state.position;
      state.position = position;
      if (before < 0) return;
      count(opening, position - before);
      if (position > before) track(opening.paths.length, before, position);
    },
    onSettings: opening.includesSettings
      ? (number) => trackOne(changed, number, opening.paths.length, 'changed')
      : null,
  });
}

function count({ every }: Opening, step: number): void {
  hasChanged = true;
  if (step < 1) counts.repeats += 1;
  // A status stream may skip versions: the newest one replaces them.
  else if (!every) counts.delivered += step;
  else {
    counts.delivered += 1;
    counts.gaps += step - 1;
  }
}

function track(clients: number, before: number, position: number): void {
  for (let passed = before + 1; passed <= position; passed += 1)
    trackOne(received, passed, clients, 'reached');
}

/** Counts a client that has received `number`, and notes the time at which the last one has. */
function trackOne(
  clientsOf: Map<number, number>,
  number: number,
  clients: number,
  list: 'reached' | 'changed',
): void {
  hasChanged = true;
  const having = (clientsOf.get(number) ?? 0) + 1;
  if (having < clients) clientsOf.set(number, having);
  else {
    clientsOf.delete(number);
    counts[list].push([number, performance.timeOrigin + performance.now()]);
  }
}

function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
  received.clear();
  changed.clear();
  counts = noCounts();
  hasChanged = true;
}

/** Sends batches: a message per delivery would cost more than receiving it. */
function report(): void {
  if (!hasChanged) return;
  // An error means that the benchmark has ended; `disconnect` then ends this process.
  process.send?.(counts, () => undefined);
  counts.reached = [];
  counts.changed = [];
  hasChanged = false;
}
