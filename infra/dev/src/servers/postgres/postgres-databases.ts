import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { waitUntil } from '../../testing/wait-until.ts';

/**
 * Creates and drops databases with random names, over one connection that is opened on demand. `close` drops the remaining ones.
 */
export function databasesOf(serverUrl: string) {
  const created = new Set<string>();
  const admin = postgres(serverUrl, { max: 1, idle_timeout: 5, onnotice: () => undefined });
  const drop = async (url: string) => {
    const name = nameOf(url);
    await admin`drop database if exists ${admin(name)} with (force)`;
    created.delete(url);
  };
  return {
    async create(template?: string): Promise<string> {
      const name = `paywatch_${randomBytes(6).toString('hex')}`;
      await admin`create database ${admin(name)} template ${admin(template === undefined ? 'template0' : nameOf(template))}`;
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      created.add(url.href);
      return url.href;
    },
    drop,
    /**
     * Drops a database after its last client has disconnected. Throws if a client stays connected: it was not closed, and would try to
     * reconnect until its process ends.
     */
    async dropUnused(url: string): Promise<void> {
      const clients = () => admin`
        select from pg_stat_activity where datname = ${nameOf(url)} and backend_type = 'client backend'`;
      await waitUntil(async () => (await clients()).length === 0, { what: 'the last client to disconnect' });
      await drop(url);
    },
    disconnect: () => admin.end({ timeout: 1 }),
    async close(): Promise<void> {
      for (const url of created) await drop(url);
      await admin.end({ timeout: 1 });
    },
  };
}

/** The name of a template that is given as a URL or a name. */
function nameOf(urlOrName: string): string {
  return urlOrName.includes('://') ? decodeURIComponent(new URL(urlOrName).pathname.slice(1)) : urlOrName;
}
