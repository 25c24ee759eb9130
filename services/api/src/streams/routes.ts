import { AppError } from '@paywatch/domain/requests';
import { Gauge, type Registry } from '@paywatch/runtime/observability';
import { pause, withTimeout } from '@paywatch/runtime/process';
import { findOverlayProjects, listenForOverlayAccess } from '@paywatch/store/donations';
import { Subscriber } from '@paywatch/store/redis';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { batchReads } from '../concurrency/batch-reads.ts';
import type { Dependencies } from '../dependencies.ts';
import { invoiceReader } from '../invoices/invoice-reader.ts';
import { createStreamLimiter } from '../limits/stream-limits.ts';
import type { StreamHandlers } from '../operation-handler.ts';
import { EventStream } from './event-stream.ts';
import { Heartbeat } from './heartbeat.ts';
import { LiveStreams, parsePosition } from './live-streams.ts';
import { overlayStreams, PAUSE_MS } from './overlay-streams.ts';
import { statusStreams } from './status-streams.ts';

/** Every target is compared with Postgres within five seconds: the longest delay that a lost publication causes. */
const RECHECK_EVERY_MS = 250;
const RECHECK_SHARE = 1 / 18;
/** A shutdown waits no longer than this for what is still to be sent; clients get the rest when they reconnect. */
const SETTLE_TIMEOUT_MS = 2000;
/** Nobody knows when a client closes one of its streams. */
const RETRY_SECONDS = 30;

/** The event streams of invoices and overlays. They end, and the subscriber with them, when `closing` fires. */
export function streamHandlers(dependencies: Dependencies): StreamHandlers {
  const { config, store, logger, clock, registry, closing } = dependencies;
  const limiter = createStreamLimiter(store, config.streams);
  const heartbeat = new Heartbeat(clock);
  const recheck = (...streams: readonly { recheck(): Promise<void> }[]): void => {
    Promise.all(streams.map((some) => some.recheck())).catch((err: unknown) =>
      logger.warn({ err }, 'streams could not be checked'),
    );
  };
  const subscriber = new Subscriber(
    store,
    () => recheck(statuses, overlays),
    (error) => logger.warn({ reason: error.message }, 'redis subscriber failed'),
  );
  const settings = dependencies.invoiceSettings;
  const read = invoiceReader(store, settings, PAUSE_MS);
  const statuses = new LiveStreams(
    { clock, logger, subscriber },
    statusStreams(store, settings, read, logger),
  );
  const overlays = new LiveStreams({ clock, logger, subscriber }, overlayStreams(store));
  const findProject = batchReads<string, bigint>({
    limit: 1000,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (tokens) => findOverlayProjects(store, tokens),
  });
  const openStreams = openStreamsGauge(registry);
  listenForOverlayAccess(
    store,
    (projectId) => overlays.endRevoked(projectId),
    () => recheck(overlays),
  ).catch((err: unknown) => logger.warn({ err }, 'not listening for rotated overlay tokens; rechecked'));
  void recheckRegularly(dependencies, [statuses, overlays]);
  const end = async (): Promise<void> => {
    await withTimeout(statuses.settle(), SETTLE_TIMEOUT_MS, () => undefined);
    heartbeat.stop();
    subscriber.close();
    limiter.close();
  };
  closing.addEventListener('abort', () => void end());

  /** Runs the stream in a slot of its network and target, which is free again when the connection is gone. */
  const inSlot = async (
    request: IncomingMessage,
    response: ServerResponse,
    { kind, target, network }: { kind: StreamName; target: string; network: string },
    connect: (open: () => EventStream | null) => Promise<EventStream | null>,
    access: string | null = null,
  ): Promise<void> => {
    const giveBack = await limiter.take(network, target);
    if (giveBack === null) throw tooManyStreams();
    openStreams.inc({ kind });
    const leave = (): void => {
      openStreams.dec({ kind });
      giveBack();
    };
    if (response.closed) leave();
    else response.on('close', leave);
    const stream = await connect(() => EventStream.open(request, response, access));
    if (stream !== null) heartbeat.add(stream);
    else if (!response.headersSent) response.writeHead(204).end();
  };

  return {
    streamPublicInvoice: async (
      { params: { publicId }, headers, context: { network } },
      request,
      response,
    ) => {
      const lastPosition = parsePosition(headers['Last-Event-ID']);
      await inSlot(request, response, { kind: 'invoice', target: publicId, network }, (open) =>
        statuses.connect(publicId, { lastPosition }, open),
      );
    },

    streamOverlay: async ({ params: { token }, headers, query, context: { network } }, request, response) => {
      const projectId = await findProject(token);
      if (projectId === null) throw new AppError('not_found');
      const lastPosition = parsePosition(headers['Last-Event-ID'] ?? query.last_event_id);
      const target = { kind: 'overlay', target: `overlay ${projectId}`, network } as const;
      const connect = (open: () => EventStream | null) =>
        overlays.connect(projectId, { lastPosition, access: token }, open);
      await inSlot(request, response, target, connect, token);
    },
  };
}

const STREAM_NAMES = ['invoice', 'overlay'] as const;
type StreamName = (typeof STREAM_NAMES)[number];

function openStreamsGauge(registry: Registry): Gauge<'kind'> {
  const open = new Gauge({
    name: 'paywatch_streams_open',
    help: 'Event streams that are open in this process, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  // None open is a figure, too: without a value there would be no series.
  for (const kind of STREAM_NAMES) open.set({ kind }, 0);
  return open;
}

function tooManyStreams(): AppError {
  return new AppError('rate_limited', 'Too many open streams.', { retryAfterSeconds: RETRY_SECONDS });
}

async function recheckRegularly(
  { logger, closing }: Dependencies,
  streams: readonly { recheckNext(share: number): Promise<void> }[],
): Promise<void> {
  while (!closing.aborted) {
    await pause(RECHECK_EVERY_MS, closing);
    try {
      if (!closing.aborted) await Promise.all(streams.map((some) => some.recheckNext(RECHECK_SHARE)));
    } catch (err) {
      logger.warn({ err }, 'streams could not be checked');
    }
  }
}
