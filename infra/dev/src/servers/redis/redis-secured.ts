import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsConnections } from '../accepts-connections.ts';
import { createCertificateAuthority } from '../certificates.ts';
import { freePort } from '../free-port.ts';
import type { Redis } from './redis.ts';
import { findProgram, logTail, startServer, type ServerProcess } from '../server-process.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** A Redis with password and TLS as in production, and its parts for testing rejected connections. */
export type SecuredRedis = Redis & { caFile: string; password: string };

/**
 * Starts redis-server with a password and TLS only, with a certificate of its own authority. `url` contains password and authority,
 * in the format of REDIS_URL.
 */
export async function startSecuredRedis(): Promise<SecuredRedis> {
  const folder = temporaryFolder('redis');
  const port = await freePort();
  const password = randomBytes(18).toString('base64url');
  const { caFile } = await writeConfiguration(folder, port, password);
  let server = await launch(folder, port);
  const relaunch = async (): Promise<void> => {
    await server.stop();
    server = await launch(folder, port);
  };
  return {
    url: `rediss://:${password}@localhost:${port}?ca_file=${caFile}`,
    port,
    caFile,
    password,
    // It has no data on disk to save.
    flush: relaunch,
    restart: relaunch,
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
    kill: () => server.kill(),
    signal: (name) => server.signal(name),
  };
}

/** Writes the password to a file that only our user can read; command-line arguments are visible to all users. */
async function writeConfiguration(
  folder: string,
  port: number,
  password: string,
): Promise<{ caFile: string }> {
  const authority = await createCertificateAuthority(folder);
  const { certificate, privateKey } = await authority.issue();
  const [certificateFile, keyFile] = [join(folder, 'redis.pem'), join(folder, 'redis-key.pem')];
  writeFileSync(certificateFile, `${certificate}\n`);
  writeFileSync(keyFile, `${privateKey}\n`, { mode: 0o600 });
  const lines = [
    'bind 127.0.0.1',
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${certificateFile}`,
    `tls-key-file ${keyFile}`,
    `tls-ca-cert-file ${authority.caFile}`,
    'tls-auth-clients no',
    `requirepass ${password}`,
    'maxmemory-policy noeviction',
    'save ""',
    `dir ${folder}`,
  ];
  writeFileSync(join(folder, 'redis.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
  return { caFile: authority.caFile };
}

async function launch(folder: string, port: number): Promise<ServerProcess> {
  const server = await startServer({
    name: 'redis',
    command: findProgram('redis-server') ?? 'redis-server',
    args: [join(folder, 'redis.conf')],
    logFile: join(folder, 'redis.log'),
  });
  await waitUntil(() => server.hasExited() || acceptsConnections(port), { what: 'Redis', everyMs: 10 });
  if (server.hasExited()) throw new Error(`Redis exited during startup:\n${logTail(server.logFile)}`);
  return server;
}
