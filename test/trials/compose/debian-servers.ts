import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callProgram } from '../shared/call-program.ts';
import type { Container, Containers } from '../shared/containers.ts';
import type { Recorder } from '../shared/record-trial.ts';

const SUITE = 'bookworm';
const IMAGE = 'localhost/debian-servers:latest';
const PACKAGES = 'ca-certificates,caddy,haproxy,postgresql,redis-server';
const FILES = '/srv/trial';

/**
 * How Debian's server runs in place of a third-party image, which no registry may be reachable for: what that image's entry point does,
 * its working folder and its variables.
 */
export type StandIn = {
  /** The words before those of compose.yaml; alone where it names no command. */
  entry: readonly string[];
  env?: Readonly<Record<string, string>>;
  workingFolder?: string;
};

export const STAND_INS: Readonly<Record<string, StandIn>> = {
  postgres: { entry: ['sh', `${FILES}/postgres.sh`] },
  redis: { entry: [], workingFolder: '/data' },
  balancer: {
    entry: ['haproxy', '-db', '-f', '/usr/local/etc/haproxy/haproxy.cfg', '-f', `${FILES}/limits.cfg`],
  },
  caddy: {
    entry: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    env: { HOME: '/data', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config' },
  },
};

/** What the image of Postgres does with its variables and its volume. */
const POSTGRES_SCRIPT = `set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data
if [ ! -e "$data/PG_VERSION" ]; then
  initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single -D "$data" postgres
fi
exec postgres -D "$data" -c 'listen_addresses=*' -c unix_socket_directories=/tmp
`;

/** Docker allows more open files than this machine may. */
const HAPROXY_LIMITS = 'global\n  no strict-limits\n';

/** Builds an image with Debian's servers, and a container of it in which user 1000 has a name, as Postgres wants. */
export async function createServers(
  containers: Containers,
  { folder, interrupted }: Recorder,
  hosts: Readonly<Record<string, string>>,
): Promise<Container> {
  const root = join(folder, 'servers');
  await callProgram('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, SUITE, root], {
    interrupted,
  });
  for (const path of ['var/cache/apt', 'var/lib/apt/lists'])
    rmSync(join(root, path), { recursive: true, force: true });
  appendFileSync(join(root, 'etc/passwd'), 'service:x:1000:1000::/tmp:/bin/sh\n');
  mkdirSync(join(root, FILES), { recursive: true });
  writeFileSync(join(root, FILES, 'postgres.sh'), POSTGRES_SCRIPT);
  writeFileSync(join(root, FILES, 'limits.cfg'), HAPROXY_LIMITS);
  const file = join(folder, 'Containerfile.servers');
  writeFileSync(file, 'FROM scratch\nCOPY servers/ /\n');
  await containers.build(IMAGE, file, folder);
  rmSync(root, { recursive: true });
  return containers.create(IMAGE, hosts);
}
