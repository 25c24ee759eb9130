import { apiVariables } from '@paywatch/api/config';
import { migrationVariables } from '@paywatch/cli/config';
import { repositoryFolder } from '@paywatch/dev/stack';
import { watcherVariables } from '@paywatch/watcher/config';
import { webhookWorkerVariables } from '@paywatch/webhook-worker/config';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/** The parts of a compose file that are tested. */
const composeShape = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      networks: z.array(z.string()).default([]),
      ports: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()).default([]),
      mem_limit: z.string().optional(),
      logging: z.object({ options: z.record(z.string(), z.string()) }).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(
    z.string(),
    z.looseObject({
      ipam: z
        .object({ config: z.array(z.object({ subnet: z.string(), gateway: z.string().optional() })) })
        .optional(),
    }),
  ),
});

const compose = read('compose.yaml');
const { services, networks, ...parsed } = composeShape.parse(parse(compose, { merge: true }));
const names = Object.keys(services);
const volumes = Object.keys(parsed.volumes);
/** Mounted folders and files, by their path in the containers. */
const mounts = [...compose.matchAll(/\.\/([\w./-]+):(\/[\w./-]+):ro/g)].map(([, ours = '', theirs = '']) => ({
  ours,
  theirs,
}));

test('every file and folder in compose.yaml exists', () => {
  const named = [...compose.matchAll(/\binfra\/[\w./-]+/g)].map(([path]) => path);
  const paths = [...mounts.map(({ ours }) => ours), ...named, ...mounts.flatMap(pathsBelow)];
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !existsSync(join(repositoryFolder, path)))).toEqual([]);
});

test('the load profile sets every variable of the k6 scripts', () => {
  const required = [...read('loadtests/k6/shop.ts').matchAll(/required\('(\w+)'\)/g)].map(([, name]) => name);
  expect(required.length).toBeGreaterThan(5);
  const load = compose.slice(compose.indexOf('\n  load:'));
  expect(required.filter((name) => !load.includes(`\n      ${name}: `))).toEqual([]);
});

test('every third-party image has a version, and that of k6 matches the types of the scripts', () => {
  const images = [...compose.matchAll(/^ +image: ([^\s@]+)(?:@\S+)?$/gm)].map(([, image = '']) => image);
  expect(images.length).toBeGreaterThan(5);
  const unversioned = images.filter((image) => image !== 'paywatch:latest' && !/:v?\d/.test(image));
  expect(unversioned).toEqual([]);
  const types = /"@types\/k6": "([\d.]+)"/.exec(read('loadtests/package.json'))?.[1];
  expect(images).toContain(`grafana/k6:${types}`);
});

test('no secret of compose.yaml gets into git or the build context of the image', () => {
  const secrets = [...compose.matchAll(/\{ file: \.\/(\w+)\//g)].map(([, folder]) => folder);
  expect(secrets.length).toBeGreaterThan(2);
  for (const folder of secrets) {
    expect(read('.gitignore').split('\n')).toContain(`${folder}/`);
    expect(read('.dockerignore').split('\n')).toContain(folder);
  }
});

test('each service shares networks only with the services that it uses', () => {
  const roles = ['api', 'watcher', 'webhook-worker'];
  expect(together('grafana')).toEqual(['alertmanager', 'prometheus']);
  expect(together('prometheus')).toEqual([...roles, 'alertmanager', 'grafana'].toSorted());
  expect(together('balancer')).toEqual(['api', 'caddy', 'load']);
  expect(together('caddy')).toEqual(['balancer']);
  for (const [node, other] of [
    ['bitcoind', 'litecoind'],
    ['litecoind', 'bitcoind'],
  ] as const)
    expect(together(node)).toEqual(['api', other, 'watcher'].toSorted());
  for (const server of ['postgres', 'redis', 'redis-1'])
    expect(together(server).filter((name) => !/^(?:postgres|redis|pgbouncer)/.test(name))).toEqual([
      'api',
      'migrate',
      'retention',
      'watcher',
      'webhook-worker',
    ]);
  for (const internal of ['data', 'front', 'edge', 'nodes', 'metrics'])
    expect(networks[internal]).toMatchObject({ internal: true });
});

test('only Caddy is published, and on loopback the balancer and Grafana with the operator’s password', () => {
  const published = names.filter((name) => services[name]?.ports);
  expect(published).toEqual(['balancer', 'caddy', 'grafana']);
  const onLoopback = published.filter((name) => name !== 'caddy');
  for (const port of onLoopback.flatMap((name) => services[name]?.ports ?? []))
    expect(port).toMatch(/^(?:\$\{\w+:-)?127\.0\.0\.1:/);
  expect(services['grafana']).toMatchObject({
    environment: { GF_SECURITY_ADMIN_PASSWORD__FILE: '/run/secrets/grafana_password' },
    secrets: ['grafana_password'],
  });
});

test('the API trusts only the balancer, and the balancer trusts only Caddy by default, not even its gateway', () => {
  expect(services['api']?.environment?.['TRUSTED_PROXIES']).toBe(subnetOf('front')?.subnet);
  expect(services['balancer']?.environment).toMatchObject({
    TRUSTED_UPSTREAMS: `${subnetOf('edge')?.subnet} \${TRUSTED_UPSTREAMS:-255.255.255.255}`,
    PROXY_PROTOCOL_UPSTREAMS: '${PROXY_PROTOCOL_UPSTREAMS:-255.255.255.255}',
  });
  const inEdge = names.filter((name) => services[name]?.networks.includes('edge'));
  expect(inEdge).toEqual(['balancer', 'caddy']);
});

test.each([
  ['api', apiVariables.shape],
  ['watcher', watcherVariables.shape],
  ['webhook-worker', webhookWorkerVariables.shape],
  ['migrate', migrationVariables.omit({ DATABASE_DIRECT_URL: true }).shape],
])('%s gets every variable that it reads, secrets as files', (name, shape) => {
  const given = services[name]?.environment ?? {};
  const missing = Object.keys(shape).filter(
    (one) => given[one] === undefined && given[`${one}_FILE`] === undefined,
  );
  expect(missing).toEqual([]);
  const secret = Object.keys(given).filter((one) =>
    /PASSWORD$|KEYS$|_CA$|^(DATABASE|REDIS|MAIL|.*NODE)_URL$/.test(one),
  );
  expect(secret).toEqual([]);
});

test('every service has a memory limit, and logs of a bounded size', () => {
  expect(names.filter((name) => services[name]?.mem_limit === undefined)).toEqual([]);
  const sizes = names.filter((name) => services[name]?.logging?.options['max-size'] === undefined);
  expect(sizes).toEqual([]);
});

test('everything that a server must keep is in a named volume', () => {
  const kept: Record<string, string> = {
    postgres: '/var/lib/postgresql',
    redis: '/data',
    'redis-1': '/data',
    'redis-6': '/data',
    bitcoind: '/home/bitcoin/.bitcoin',
    litecoind: '/home/litecoin/.litecoin',
    caddy: '/data',
    prometheus: '/prometheus',
    alertmanager: '/alertmanager',
    grafana: '/var/lib/grafana',
  };
  for (const [name, path] of Object.entries(kept)) {
    const volume = services[name]?.volumes.find((one) => one.endsWith(`:${path}`))?.split(':')[0];
    expect(volumes, name).toContain(volume);
  }
});

test('all texts name the gateway of the balancer’s network as the address of a proxy on the same machine', () => {
  const gateway = subnetOf('public')?.gateway;
  expect(compose).toContain(
    `# Plain HTTP on loopback alone, for a TLS proxy on this machine: set in .env TRUSTED_UPSTREAMS=${gateway}`,
  );
  expect(read('docs/guides/run-it-in-production.md')).toContain(`TRUSTED_UPSTREAMS=${gateway}`);
});

function subnetOf(network: string) {
  return networks[network]?.ipam?.config[0];
}

/** The services that share a network with this one. */
function together(one: string): string[] {
  return names.filter((other) => other !== one && services[other]?.networks.some(isIn(one))).toSorted();
}

function isIn(service: string): (network: string) => boolean {
  return (network) => services[service]?.networks.includes(network) === true;
}

/** The paths that containers use below a mount, as paths of the repository. Variables have their defaults. */
function pathsBelow({ ours, theirs }: { ours: string; theirs: string }): string[] {
  const used = new RegExp(`(?<![\\w.:])${theirs}/[\\w./-]+`, 'g');
  const withDefaults = compose.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  return [...withDefaults.matchAll(used)].map(([path]) => path.replace(theirs, ours));
}

function read(path: string): string {
  return readFileSync(join(repositoryFolder, path), 'utf8');
}
