import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsConnections } from './accepts-connections.ts';
import { freePort } from './free-port.ts';
import { repositoryFolder } from '../stack/processes.ts';
import { findProgram, logTail, startServer } from './server-process.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A replica behind the balancer, and the port of its health check. */
export type Backend = { port: number; healthPort?: number };

/** A HAProxy in front of API replicas. */
export type LoadBalancer = { url: string; port: number; logFile: string; stop(): Promise<void> };

/**
 * Starts HAProxy on 127.0.0.1 in front of replicas. It checks GET `healthPath` twice a second; a replica without a response for up to
 * five seconds stays in use, because its machine may be busy. Streams may be silent for an hour. A request whose connection is
 * refused or lost before the response is retried on another replica.
 */
export async function startLoadBalancer(options: {
  backends: readonly Backend[];
  port?: number;
  healthPath?: string;
}): Promise<LoadBalancer> {
  const program = findProgram('haproxy');
  if (program === undefined) throw new Error('haproxy is not installed: apt-get install haproxy');
  const folder = temporaryFolder('haproxy');
  const port = await freePort(options.port);
  const configuration = join(folder, 'haproxy.cfg');
  writeFileSync(
    configuration,
    configurationOf(options.backends, port, options.healthPath ?? '/health/ready'),
  );
  const server = await startServer({
    name: 'haproxy',
    command: program,
    args: ['-db', '-f', configuration],
    logFile: join(folder, 'haproxy.log'),
    // SIGUSR1 would wait for the end of all streams.
    stopSignal: 'SIGTERM',
  });
  await waitUntil(() => server.hasExited() || acceptsConnections(port), { what: 'HAProxy', everyMs: 10 });
  if (server.hasExited()) throw new Error(`HAProxy exited during startup:\n${logTail(server.logFile)}`);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    logFile: server.logFile,
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}

/**
 * `http-no-delay`: without it every second event of a stream waits 200 ms for the client's TCP acknowledgement.
 * Streams have their own backend with longer timeouts.
 * An unready replica gets no new requests and keeps its open ones, since it may be draining. If no replica is ready, requests are
 * sent nevertheless: a replica's own error response says why it is not ready.
 */
function configurationOf(backends: readonly Backend[], port: number, healthPath: string): string {
  const replicas = backends.map((backend, index) => ({
    name: `api${index + 1}`,
    healthPort: backend.port,
    ...backend,
  }));
  const checked = replicas.map(
    ({ name, port: at, healthPort }) => `  server ${name} 127.0.0.1:${at} check port ${healthPort}`,
  );
  const tracked = replicas.map(({ name, port: at }) => `  server ${name} 127.0.0.1:${at} track api/${name}`);
  const unchecked = replicas.map(({ name, port: at }) => `  server ${name} 127.0.0.1:${at}`).join('\n');
  return `global
  maxconn 8000
  # A machine that allows fewer files gets fewer connections, not a balancer that refuses to start.
  no strict-limits
  # Two balancers on one port would share its connections without a word.
  noreuseport
  default-path origin ${shippedFolder}
defaults
  mode http
  maxconn 8000
  balance leastconn
  option http-no-delay
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
  timeout connect 2s
  timeout client 1h
  timeout server 30s
  timeout tunnel 1h
  timeout http-request 10s
  timeout http-keep-alive 60s
${shippedProblems()}
frontend paywatch
  bind 127.0.0.1:${port}
  acl is_stream path_beg /v1/public/
  acl is_stream_end path_end /events
  use_backend streams if is_stream is_stream_end { nbsrv(api) gt 0 }
  use_backend streams_unready if is_stream is_stream_end
  use_backend api_unready if { nbsrv(api) eq 0 }
  default_backend api
backend api
  option httpchk GET ${healthPath}
  http-check expect status 200-299
  # What is not safe to repeat is repeated only where its connection was refused: nothing of it was read then.
  http-request disable-l7-retry unless { method GET HEAD OPTIONS }
  timeout check 2s
  default-server inter 500ms fastinter 200ms fall 4 rise 1
${checked.join('\n')}
backend api_unready
  http-request disable-l7-retry unless { method GET HEAD OPTIONS }
${unchecked}
backend streams
  timeout server 1h
${tracked.join('\n')}
backend streams_unready
  timeout server 1h
${unchecked}
`;
}

const shippedFolder = join(repositoryFolder, 'infra/haproxy');

/** The lines of the shipped configuration that turn HAProxy's own errors into problem documents. */
function shippedProblems(): string {
  const shipped = readFileSync(join(shippedFolder, 'haproxy.cfg'), 'utf8');
  const block = /^ {2}# begin problems\n(.*)^ {2}# end problems$/ms.exec(shipped)?.[1];
  if (block === undefined) throw new Error('haproxy.cfg has no block of error files');
  return block.trimEnd();
}
