import { AppError } from '@paywatch/domain';
import { Gauge, pause, type Registry } from '@paywatch/runtime';
import { findOverlayProjects, StreamSlots, Subscriber } from '@paywatch/store';
import type { Request, Response } from 'express';
import { batchReads } from '../batch-reads.ts';
import type { Dependencies } from '../dependencies.ts';
import { creationSettings } from '../invoices/creation-settings.ts';
import { snapshotReader } from '../invoices/snapshot-reader.ts';
import type { OperationRouter } from '../operation-router.ts';
import { EventStream } from './event-stream.ts';
import { LiveStreams } from './live-streams.ts';
import { overlayStreams, REST_MS } from './overlay-streams.ts';
import { soonDone } from './soon-done.ts';
import { statusStreams } from './status-streams.ts';
import { StreamWheel } from './stream-wheel.ts';

/** All are compared within five seconds: so late is a client at most when a publication was lost. */
const RECHECK_EVERY_MS = 250;
const RECHECK_SHARE = 1 / 18;
/** However slow Postgres is. Who was not told until then is when it comes back. */
const SETTLED_WITHIN_MS = 2000;
/** Nobody knows when a client closes one of its streams. */
const RETRY_SECONDS = 30;

/** The event streams of invoices and overlays. They end, and the subscriber with them, when `closing` fires. */
export function bindStreams(operations: OperationRouter, dependencies: Dependencies): void {
  const { config, store, logger, clock, registry, closing } = dependencies;
  const slots = new StreamSlots(store, config.streamsPerTarget);
  const wheel = new StreamWheel(clock);
  const recheck = () => Promise.all([statuses.recheck(), overlays.recheck()]);
  const subscriber = new Subscriber(
    store,
    () => void recheck().catch((err: unknown) => logger.warn({ err }, 'streams could not be checked')),
    (error) => logger.warn({ reason: error.message }, 'redis subscriber failed'),
  );
  const read = snapshotReader(store, creationSettings(config), REST_MS);
  const statuses = new LiveStreams({ clock, logger, subscriber }, statusStreams(store, read));
  const overlays = new LiveStreams({ clock, logger, subscriber }, overlayStreams(store));
  const findProject = batchReads<string, bigint>({
    limit: 1000,
    restMs: REST_MS,
    nameOf: String,
    read: (tokens) => findOverlayProjects(store, tokens),
  });
  const openStreams = openStreamsGauge(registry);
  void recheckRegularly(dependencies, [statuses, overlays]);
  const end = async (): Promise<void> => {
    await soonDone(statuses.settle(), SETTLED_WITHIN_MS);
    wheel.stop();
    subscriber.close();
    slots.close();
  };
  closing.addEventListener('abort', () => void end());

  /** Runs the stream in a slot of its network and target, which is free again when the connection is gone. */
  const inSlot = async (
    request: Request,
    response: Response,
    { kind, target }: { kind: StreamName; target: string },
    connect: (open: () => EventStream | null) => Promise<EventStream | null>,
  ): Promise<void> => {
    const { network } = request.context;
    if (!(await slots.take(network, target))) throw tooManyStreams();
    openStreams.inc({ kind });
    const leave = (): void => {
      openStreams.dec({ kind });
      slots.giveBack(network, target);
    };
    if (response.closed) leave();
    else response.on('close', leave);
    const stream = await connect(() => EventStream.open(request, response, clock.nowMs()));
    if (stream !== null) wheel.add(stream);
    else if (!response.headersSent) response.status(204).end();
  };

  operations.stream({
    streamPublicInvoice: async ({ params: { publicId }, headers }, request, response) => {
      const lastVersion = parsePosition(headers['Last-Event-ID']);
      await inSlot(request, response, { kind: 'invoice', target: publicId }, (open) =>
        statuses.connect(publicId, lastVersion, open),
      );
    },

    streamOverlay: async ({ params: { token }, headers, query }, request, response) => {
      const projectId = await findProject(token);
      if (projectId === null) throw new AppError('not_found');
      const lastPosition = parsePosition(headers['Last-Event-ID'] ?? query.last_event_id);
      await inSlot(request, response, { kind: 'overlay', target: `overlay ${projectId}` }, (open) =>
        overlays.connect(projectId, lastPosition, open),
      );
    },
  });
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

/** Null for what was never given out as an id. */
function parsePosition(lastEventId: string | undefined): number | null {
  return lastEventId !== undefined && /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
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
