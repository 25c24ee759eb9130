import { createMailTransport, type MailSettings } from '@paywatch/runtime/mail';
import { Counter, Gauge, type Logger, type Registry } from '@paywatch/runtime/observability';
import { pause, withTimeout } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import {
  leaseDueMails,
  listenForMails,
  measureMailLag,
  queuePeriodicNotices,
  type DueMail,
} from '@paywatch/store/mails';
import { closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import { createWakeSignal, type WakeSignal } from '../relay/wake-signal.ts';
import { attemptMail, type MailAttemptDeps } from './attempt-mail.ts';

export type MailWorkerDeps = {
  store: Store;
  logger: Logger;
  registry: Registry;
  /** Whether Redis serves the queue; otherwise mails are sent from Postgres without it. */
  isQueueServing: () => boolean;
};

export type MailWorkerSettings = {
  mail: MailSettings;
  publicUrl: string;
  /** How often the relay reads the table without a notification. */
  pollMs: number;
  /** How often it looks for states that owners should know of. */
  noticeEveryMs: number;
  /** A queued mail becomes due again after this, in case its job is lost. */
  leaseSeconds: number;
};

export type MailWorker = {
  /** Waits for the attempts in flight. */
  stop(): Promise<void>;
};

const BATCH = 20;
const CONCURRENCY = 5;
const ADD_TIMEOUT_MS = 2000;

/**
 * Starts a relay of due mails and a consumer that sends them. Any number may run. The outbox in Postgres holds every mail until
 * the SMTP server has accepted it; the queue only spreads them over the workers.
 */
export async function startMailWorker(
  deps: MailWorkerDeps,
  settings: MailWorkerSettings,
): Promise<MailWorker> {
  const { store, logger } = deps;
  const transport = createMailTransport(settings.mail);
  const attempts = createMetrics(deps);
  const attempt = safeAttempt({ store, logger, transport, attempts, publicUrl: settings.publicUrl });
  const queue = createQueue(store.queueRedis, store.keys, 'mails');
  const add = (due: readonly DueMail[]) => queue.addBulk(due.map(toJob));
  const relay = await startRelay(deps, settings, async (due) => {
    if (deps.isQueueServing() && (await isAdded(add(due), logger))) return;
    for (const { id } of due) await attempt(id);
  });
  const consumer = createWorker(
    store.queueRedis,
    store.keys,
    'mails',
    ({ data }) => attempt(BigInt(data.mailId)),
    { concurrency: CONCURRENCY, onError: (err) => logger.warn({ err }, 'mail queue failed') },
  );
  const notices = startPeriodicNotices(deps, settings.noticeEveryMs);
  return {
    stop: async () => {
      await notices.stop();
      await relay.stop();
      await closeWorker(consumer, store.queueRedis);
      await queue.close();
      transport.close();
    },
  };
}

/** The number of claims is part of the job's id: without it, a finished job could block the next attempt. */
function toJob({ id, claims }: DueMail) {
  return { name: 'send', data: { mailId: String(id) }, opts: { jobId: `${id}-${claims}` } };
}

/** An attempt that never rejects: its mail becomes due again when the claim expires. */
function safeAttempt(deps: MailAttemptDeps): (id: bigint) => Promise<void> {
  return async (id) => {
    try {
      await attemptMail(deps, id);
    } catch (err) {
      deps.logger.error({ err, mail_id: String(id) }, 'mail attempt failed; retrying');
    }
  };
}

async function isAdded(adding: Promise<unknown>, logger: Logger): Promise<boolean> {
  const added = adding.then(
    () => true,
    (err: unknown) => {
      logger.warn({ err }, 'jobs could not be added to the mail queue');
      return false;
    },
  );
  return withTimeout(added, ADD_TIMEOUT_MS, () => false);
}

function createMetrics({ store, registry, logger }: MailWorkerDeps): Counter<'outcome'> {
  const lag = new Gauge({
    name: 'paywatch_mail_lag_seconds',
    help: 'Age of the oldest due mail that no relay has taken.',
    registers: [],
    async collect() {
      try {
        this.set(await measureMailLag(store));
      } catch (err) {
        logger.debug({ err }, 'mail lag not measured');
      }
    },
  });
  registry.registerMetric(lag);
  return new Counter({
    name: 'paywatch_mail_attempts_total',
    help: 'Attempts to send a mail, by outcome: sent, retry, failed, dropped.',
    labelNames: ['outcome'],
    registers: [registry],
  });
}

/** Each worker looks by itself; the outbox holds one notice of a state. */
function startPeriodicNotices({ store, logger }: MailWorkerDeps, everyMs: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await queuePeriodicNotices(store);
      } catch (err) {
        logger.error({ err }, 'notices not queued; retrying');
      }
      await pause(everyMs, stopping.signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type Dispatch = (due: readonly DueMail[]) => Promise<void>;

/** NOTIFY wakes the relay; the poll finds retries and what was committed while no connection listened. */
async function startRelay(
  { store, logger }: MailWorkerDeps,
  { pollMs, leaseSeconds }: MailWorkerSettings,
  dispatch: Dispatch,
): Promise<{ stop(): Promise<void> }> {
  const wakeSignal = createWakeSignal();
  const stopping = new AbortController();
  const relayOnce = async (): Promise<boolean> => {
    try {
      const due = await leaseDueMails(store, { limit: BATCH, leaseSeconds });
      if (due.length > 0) await dispatch(due);
      return due.length === BATCH;
    } catch (err) {
      logger.error({ err }, 'mail relay failed; retrying');
      return false;
    }
  };
  const running = repeat(relayOnce, { wakeSignal, pollMs, stopping: stopping.signal });
  const listener = await listenForMails(store, wakeSignal.wake);
  return {
    stop: async () => {
      stopping.abort();
      wakeSignal.wake();
      await running;
      await listener.stop();
    },
  };
}

/** Mails of one moment share a statement. */
const GATHER_MS = 20;

async function repeat(
  relayOnce: () => Promise<boolean>,
  { wakeSignal, pollMs, stopping }: { wakeSignal: WakeSignal; pollMs: number; stopping: AbortSignal },
): Promise<void> {
  while (!stopping.aborted) {
    const hasMore = await relayOnce();
    if (!hasMore) await wakeSignal.sleep(pollMs);
    await pause(GATHER_MS, stopping);
  }
}
