import { findProgram, freePort, startServer } from '@paywatch/dev/servers';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import type { StreamClients } from './stream-clients.ts';
import { keepBusy, nowMs, type StreamSender } from './stream-senders.ts';

const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';
/** Messages that may be on their way at once, as for the API. */
const WINDOW = 16;

/** Whether nginx and its nchan module are installed (Debian: nginx, libnginx-mod-nchan). */
export function hasNchan(): boolean {
  return findProgram('nginx') !== undefined && existsSync(MODULE);
}

/** One nginx worker with its nchan module. */
export async function startNchanSender(
  parts: AsyncDisposableStack,
  clients: StreamClients,
  { streams, messageBytes }: { streams: number; messageBytes: number },
): Promise<StreamSender> {
  const folder = temporaryFolder('nchan');
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configurationOf(folder, port, streams));
  const server = await startServer({
    name: 'nginx',
    command: findProgram('nginx') ?? 'nginx',
    args: ['-c', file, '-e', join(folder, 'error.log')],
    logFile: join(folder, 'nginx.log'),
  });
  parts.defer(server.stop);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await request(`${url}/health`)).statusCode === 200, { what: 'nginx' });
  let position = 0;
  const publish = async (): Promise<void> => {
    position += 1;
    const body = `${position} `.padEnd(messageBytes, 'x');
    await (await request(`${url}/publish`, { method: 'POST', body })).body.dump();
  };
  // Whoever comes gets it at once, as clients of the other servers get the position where they begin.
  await publish();
  return {
    title: 'nginx with nchan',
    port,
    pid: server.pid,
    paths: Array.from({ length: streams }, () => '/stream'),
    positionLine: 'data',
    every: true,
    saturate: (ms) =>
      keepBusy({ clients, ms, window: WINDOW * streams }, async () => {
        await publish();
        return streams;
      }),
    send: async () => {
      const sentMs = nowMs();
      await publish();
      return { sentMs, position };
    },
  };
}

/** One process, as the API is one. */
function configurationOf(folder: string, port: number, streams: number): string {
  return `load_module ${MODULE};
daemon off;
master_process off;
worker_rlimit_nofile ${streams + 1000};
pid ${folder}/nginx.pid;
events { worker_connections ${streams + 1000}; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /health { return 200 'ok'; }
    location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 100; }
    location = /stream { nchan_subscriber eventsource; nchan_channel_id bench; }
  }
}
`;
}
