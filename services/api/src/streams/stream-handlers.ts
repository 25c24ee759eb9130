import { AppError } from '@paywatch/domain/requests';
import { Gauge, type Registry } from '@paywatch/runtime/observability';
import { pause, withTimeout } from '@paywatch/runtime/process';
import { Subscriber } from '@paywatch/store/redis';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dependencies } from '../dependencies.ts';
import { createStreamLimiter, type StreamLimiter } from '../limits/stream-limits.ts';
import type { StreamHandlers } from '../operation-handler.ts';
import { EventStream, type StreamKind } from './event-stream.ts';
import { Heartbeat } from './heartbeat.ts';
import { LiveStreams } from './live-streams.ts';
import { streamControl } from './stream-control.ts';
import { streamOverlay } from './stream-overlay.ts';
import { streamPublicInvoice } from './stream-public-invoice.ts';

/** Every target is compared with Postgres within five seconds: the longest delay that a lost publication can cause. */
const RECHECK_EVERY_MS = 250;
const RECHECK_SHARE = 1 / 18;
/** A shutdown waits at most this long for pending messages. Clients get the rest when they reconnect. */
const DRAIN_TIMEOUT_MS = 2000;
/** Retry-After of a client with too many open streams. Nobody knows when it will close one. */
const RETRY_SECONDS = 30;

/** The handlers of the event streams. */
export function streamHandlers(dependencies: Dependencies): StreamHandlers {
  const server = new StreamServer(dependencies);
  const control = streamControl(dependencies, server);
  return {
    streamPublicInvoice: streamPublicInvoice(dependencies, server),
    streamOverlay: streamOverlay(dependencies, server, control.streams),
    streamControl: control.handler,
  };
}

const STREAM_NAMES = ['invoice', 'overlay', 'control'] as const;
type StreamName = (typeof STREAM_NAMES)[number];

/** A request for a stream. */
export type StreamRequest = {
  request: IncomingMessage;
  response: ServerResponse;
  /** By the stream limits: who opens the stream, and to what. */
  network: string;
  target: string;
  kind: StreamName;
  /** The token that grants access to the target; null if none is needed. */
  access: string | null;
};

/** Serves the streams of all kinds: limits, heartbeats, rechecks. Ends them, and the subscriptions, when `closing` aborts. */
export class StreamServer {
  readonly #dependencies: Dependencies;
  readonly #limiter: StreamLimiter;
  readonly #heartbeat: Heartbeat;
  readonly #subscriber: Subscriber;
  readonly #openStreams: Gauge<'kind'>;
  readonly #kinds: Recheckable[] = [];

  constructor(dependencies: Dependencies) {
    const { store, config, logger, clock, registry, closing } = dependencies;
    this.#dependencies = dependencies;
    this.#limiter = createStreamLimiter(store, config.streams);
    this.#heartbeat = new Heartbeat(clock);
    this.#subscriber = new Subscriber(
      store,
      () => this.recheck(this.#kinds),
      (error) => logger.warn({ reason: error.message }, 'redis subscriber failed'),
    );
    this.#openStreams = openStreamsGauge(registry);
    closing.addEventListener('abort', () => void this.#close());
    void this.#recheckRegularly();
  }

  /** Adds a kind of streams. */
  add<Target extends string | bigint>(kind: StreamKind<Target>): LiveStreams<Target> {
    const { clock, logger } = this.#dependencies;
    const streams = new LiveStreams({ clock, logger, subscriber: this.#subscriber }, kind);
    this.#kinds.push(streams);
    return streams;
  }

  /** Compares all targets of these kinds with Postgres. Does not wait, and logs an error. */
  recheck(kinds: readonly Recheckable[]): void {
    Promise.all(kinds.map((streams) => streams.recheck())).catch(this.#logRecheckFailure);
  }

  /**
   * Serves a stream that `connect` opens, within the stream limits. Answers 204 if `connect` returns null without opening it. Throws
   * AppError `rate_limited`.
   */
  async serve(
    { request, response, network, target, kind, access }: StreamRequest,
    connect: (open: () => EventStream | null) => Promise<EventStream | null>,
  ): Promise<void> {
    const free = await this.#limiter.take(network, target);
    if (free === null) throw tooManyStreams();
    this.#openStreams.inc({ kind });
    const leave = (): void => {
      this.#openStreams.dec({ kind });
      free();
    };
    if (response.closed) leave();
    else response.on('close', leave);
    const stream = await connect(() => EventStream.open(request, response, access));
    if (stream !== null) this.#heartbeat.add(stream);
    else if (!response.headersSent) response.writeHead(204).end();
  }

  readonly #logRecheckFailure = (err: unknown): void =>
    this.#dependencies.logger.warn({ err }, 'stream recheck failed; retrying');

  async #recheckRegularly(): Promise<void> {
    const { closing } = this.#dependencies;
    while (!closing.aborted) {
      await pause(RECHECK_EVERY_MS, closing);
      if (closing.aborted) return;
      await Promise.all(this.#kinds.map((streams) => streams.recheckNext(RECHECK_SHARE))).catch(
        this.#logRecheckFailure,
      );
    }
  }

  async #close(): Promise<void> {
    const drained = Promise.all(this.#kinds.map((streams) => streams.drain()));
    await withTimeout(drained, DRAIN_TIMEOUT_MS, () => []);
    this.#heartbeat.stop();
    this.#subscriber.close();
    this.#limiter.close();
  }
}

/** The streams of one kind, whatever their targets. */
type Recheckable = Pick<LiveStreams<never>, 'recheck' | 'recheckNext' | 'drain'>;

function openStreamsGauge(registry: Registry): Gauge<'kind'> {
  const open = new Gauge({
    name: 'paywatch_streams_open',
    help: 'Open event streams of this process, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  // A label without a value has no series: start with 0.
  for (const kind of STREAM_NAMES) open.set({ kind }, 0);
  return open;
}

function tooManyStreams(): AppError {
  return new AppError('rate_limited', 'Too many open streams.', { retryAfterSeconds: RETRY_SECONDS });
}
