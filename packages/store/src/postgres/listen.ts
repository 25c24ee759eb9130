import { isDatabaseUnavailable, type Database } from './database.ts';

/** Notifications of one channel, until `stop`. */
export type Listener = { stop(): Promise<void> };

/** A standby refuses LISTEN and keeps the connection, so postgres.js would not try again. */
const isStandby = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === '25006';

/**
 * Listens to a NOTIFY channel. Resolves once it listens or its first connection has failed: postgres.js keeps connecting, so a service
 * can start and rely on its poll until then. `onListening` is called after each (re)connection, because notifications may have been
 * missed. Rejects if Postgres refuses to listen.
 */
export async function listen(
  { direct }: Pick<Database, 'direct'>,
  channel: string,
  onMessage: (payload: string) => void,
  onListening: () => void = () => undefined,
): Promise<Listener> {
  let isStopped = false;
  const started = direct.listen(
    channel,
    (payload) => void (isStopped || onMessage(payload)),
    () => void (isStopped || onListening()),
  );
  const subscription = await started.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error) || isStandby(error)) throw error;
    return null;
  });
  return {
    stop: async () => {
      isStopped = true;
      await subscription?.unlisten();
    },
  };
}
