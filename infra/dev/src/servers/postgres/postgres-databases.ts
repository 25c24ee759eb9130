import { randomBytes } from 'node:crypto';
import postgres from 'postgres';

/**
 * Databases with random names in one server, created over a single connection that opens when it is first needed; `close`
 * drops those that are left.
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
    disconnect: () => admin.end({ timeout: 1 }),
    async close(): Promise<void> {
      for (const url of created) await drop(url);
      await admin.end({ timeout: 1 });
    },
  };
}

/** A template may be given as a URL or as a name. */
function nameOf(urlOrName: string): string {
  return urlOrName.includes('://') ? decodeURIComponent(new URL(urlOrName).pathname.slice(1)) : urlOrName;
}
