/** Clients of event streams, thousands of them in a process of their own. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { noCounts, type ClientsRequest } from './stream-clients.ts';
import { newStreamState, readStream, type StreamState } from './stream-reader.ts';

/** Each address has some 28,000 ports, and finding a free one takes longer the fewer are left. */
const CLIENTS_PER_ADDRESS = 2500;
const OPENING_AT_ONCE = 200;
const TELL_EVERY_MS = 5;
/** One for all: what was read is looked at before anything else is read. */
const arrived = Buffer.alloc(256 * 1024);

const sockets: Socket[] = [];
let counts = noCounts();
/** Whether they have changed since they were told. */
let isNews = false;
/** How many clients have had a position, of those that not all have had. */
const had = new Map<number, number>();

process.on('message', (request: ClientsRequest) => {
  if (request.kind === 'open') void open(request);
  else closeAll();
});
// Whoever started it has ended.
process.once('disconnect', () => process.exit());
setInterval(tell, TELL_EVERY_MS);

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
    isNews = true;
  });
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`);
  await promise;
  counts.open += 1;
  isNews = true;
}

/** Ports rest for a minute after a connection, and others may be open: each opening has addresses of its own. */
function addressOf(network: number, index: number): string {
  return `127.${network}.0.${1 + Math.floor(index / CLIENTS_PER_ADDRESS)}`;
}

function read(opening: Opening, state: StreamState, bytes: Buffer): void {
  readStream(state, bytes, opening.positionLine, (position) => {
    const before = state.position;
    state.position = position;
    if (before < 0) return;
    count(opening, position - before);
    if (position > before) track(opening.paths.length, before, position);
  });
}

function count({ every }: Opening, step: number): void {
  isNews = true;
  if (step < 1) counts.repeats += 1;
  // A stream of states may pass over some: the newest brings along what those before it said.
  else if (!every) counts.delivered += step;
  else {
    counts.delivered += 1;
    counts.gaps += step - 1;
  }
}

function track(clients: number, before: number, position: number): void {
  for (let passed = before + 1; passed <= position; passed += 1) {
    const reached = (had.get(passed) ?? 0) + 1;
    if (reached < clients) had.set(passed, reached);
    else {
      had.delete(passed);
      counts.reached.push([passed, performance.timeOrigin + performance.now()]);
    }
  }
}

function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
  had.clear();
  counts = noCounts();
  isNews = true;
}

/** In batches, or telling would cost more than receiving. */
function tell(): void {
  if (!isNews) return;
  // Whoever has ended need not be told.
  process.send?.(counts, () => undefined);
  counts.reached = [];
  isNews = false;
}
