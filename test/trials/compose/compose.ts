import { startBitcoinNode, startLitecoinNode } from '@paywatch/dev/nodes';
import { createCertificateAuthority } from '@paywatch/dev/servers';
import { repositoryFolder, routeRequests, runDemo, startReceiver, type Receiver } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { createPayer, type Payer } from '@paywatch/dev/wallet';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { forward } from '../shared/forward.ts';
import { buildImage, IMAGE, IMAGE_PROGRAMS } from '../shared/build-image.ts';
import type { Container, ContainerCommand, ContainerProcess } from '../shared/containers.ts';
import { createTrial, unlessInterrupted, type Recorder } from '../shared/record-trial.ts';
import { createServers, STAND_INS } from './debian-servers.ts';
import { commandOf, editSettings, parseCompose, servicesOf, type ParsedCompose } from './parsed-compose.ts';
import { openPrivateNetwork, type PrivateNetwork } from './private-network.ts';

const PROGRAMS = [...IMAGE_PROGRAMS, 'docker-compose', 'nsenter', 'ip', 'sysctl'];
const DOMAIN = 'pay.paywatch.test';
const RECEIVER = 'receiver.paywatch.test';
const ENTRY = ['node', 'infra/image/start.mjs'];
const USER = 1000;
/** In the order in which compose.yaml makes them depend on each other; `migrate` runs between the servers and our roles. */
const SERVERS = ['postgres', 'redis'];
const ROLES = ['api', 'watcher', 'webhook-worker'];
const EDGE = ['balancer', 'caddy'];
const STARTED = [...SERVERS, 'migrate', ...ROLES, ...EDGE];
/** Debian has no Grafana; the tests of the alerts run a real Prometheus. */
const NOT_STARTED = ['alertmanager', 'grafana', 'prometheus'];

/**
 * Parses compose.yaml with Debian's docker-compose, starts its services in containers as user 1000, and runs an order per currency
 * through Caddy by https.
 */
export const run = createTrial(PROGRAMS, async (recorder) => {
  const network = await openPrivateNetwork(recorder.parts, STARTED);
  const containers = await buildImage(recorder);
  const hosts = { ...network.addresses, [RECEIVER]: network.gateway };
  const paywatch = await containers.create(IMAGE, hosts);
  const servers = await createServers(containers, recorder, hosts);
  recorder.done(
    'an image with Debian’s Postgres, Redis, HAProxy and Caddy stands in for the third-party images',
  );
  const surroundings = await startSurroundings(recorder, network);
  const folder = await initCompose(recorder, { network, paywatch, surroundings });
  const compose = await parseCompose(folder);
  checkServices(recorder, compose);
  const scene = { compose, network, folder, paywatch, servers };
  const processes = await startServices(recorder, scene);
  await sell(recorder, scene, surroundings);
  await stopServices(recorder, processes);
});

type Surroundings = {
  payers: Record<'BTC' | 'LTC', Payer>;
  nodes: Record<'BTC' | 'LTC', string>;
  receiver: Receiver;
  caPem: string;
};

/** The operator's own nodes and the merchant's endpoint, by our address in the network. */
async function startSurroundings(
  { parts, folder, done }: Recorder,
  { gateway }: PrivateNetwork,
): Promise<Surroundings> {
  const [btc, ltc] = await Promise.all([startBitcoinNode({ real: true }), startLitecoinNode()]);
  parts.defer(() => btc.stop());
  parts.defer(() => ltc.stop());
  const payers = { BTC: createPayer(btc), LTC: createPayer(ltc) };
  await Promise.all([payers.BTC.fund(), payers.LTC.fund()]);
  const reachable = async (address: string): Promise<string> => {
    const url = new URL(address);
    url.port = String(await forward(parts, gateway, Number(url.port)));
    url.hostname = gateway;
    return url.href.replace(/\/$/, '');
  };
  const nodes = { BTC: await reachable(btc.url), LTC: await reachable(ltc.url) };
  const authority = await createCertificateAuthority(folder);
  const receiver = await startReceiver({ certificate: await authority.issue([RECEIVER]) });
  parts.defer(() => receiver.stop());
  const port = await forward(parts, gateway, receiver.port);
  done('regtest nodes and a merchant’s https endpoint run');
  return {
    payers,
    nodes,
    receiver: { ...receiver, url: `https://${RECEIVER}:${port}/webhooks` },
    caPem: authority.caPem,
  };
}

type Setup = { network: PrivateNetwork; paywatch: Container; surroundings: Surroundings };

/** `init --compose` by the image, and what an operator then edits. */
async function initCompose(
  { folder, done }: Recorder,
  { network: { subnet }, paywatch, surroundings }: Setup,
): Promise<string> {
  const own = join(folder, 'compose');
  mkdirSync(own);
  for (const file of ['compose.yaml', '.env.example', 'infra/haproxy', 'infra/caddy'])
    cpSync(join(repositoryFolder, file), join(own, file), { recursive: true });
  chownSync(own, USER, USER);
  const { BTC, LTC } = surroundings.nodes;
  await paywatch.run({
    words: [...ENTRY, 'init', '--compose', '/compose', '--domain', DOMAIN, '--email', 'ops@paywatch.test'],
    env: { BTC_NODE_URL: BTC, LTC_NODE_URL: LTC },
    mounts: { '/compose': `${own}:rw` },
  });
  editSettings(own, {
    // Caddy is its own authority: that of an ACME account cannot reach this network.
    ACME_EMAIL: 'internal',
    BTC_NETWORK: 'regtest',
    LTC_NETWORK: 'regtest',
    RATE_SOURCES: 'none',
    WEBHOOK_ALLOWED_HOSTS: RECEIVER,
    // The second wallet would wait a day, because the first was paid.
    WALLET_CHANGE_DELAY: '0',
    // One network for all services, in which HAProxy and Caddy are.
    FRONT_SUBNET: subnet,
    EDGE_SUBNET: subnet,
  });
  writeFileSync(join(own, 'secrets/webhook_ca'), surroundings.caPem);
  writeFileSync(join(own, 'empty'), '');
  done('init --compose writes .env and the secrets; regtest and the merchant’s endpoint are set in .env');
  return own;
}

/** Every service of the profiles is started, or named here as not started. */
function checkServices({ check, done }: Recorder, compose: ParsedCompose): void {
  const found = servicesOf(compose, ['single', 'tls']).toSorted();
  const known = [...STARTED, ...NOT_STARTED].toSorted();
  check(found.join() === known.join(), `the profiles single and tls start ${found.join()}`);
  done(`docker-compose config parses compose.yaml; not started here: ${NOT_STARTED.join(', ')}`);
}

type Scene = {
  compose: ParsedCompose;
  network: PrivateNetwork;
  folder: string;
  paywatch: Container;
  servers: Container;
};

async function startServices(recorder: Recorder, scene: Scene): Promise<ContainerProcess[]> {
  const { done } = recorder;
  const processes: ContainerProcess[] = [];
  const start = async (name: string, isReady: () => Promise<boolean>) => {
    processes.push(await startService(recorder, scene, name, isReady));
  };
  const accepts = (name: string, port: number) => () =>
    acceptsConnections(scene.network.addresses[name], port);
  await start('postgres', accepts('postgres', 5432));
  await start('redis', accepts('redis', 6379));
  const migrated = await scene.paywatch.run(containerCommand(scene, 'migrate'));
  done(`migrate: ${migrated}`);
  for (const role of ROLES) await start(role, () => isHealthy(scene, role));
  await start('balancer', accepts('balancer', 8080));
  await start('caddy', accepts('caddy', 443));
  return processes;
}

async function startService(
  { parts, check, done, interrupted }: Recorder,
  scene: Scene,
  name: string,
  isReady: () => Promise<boolean>,
): Promise<ContainerProcess> {
  const container = ROLES.includes(name) ? scene.paywatch : scene.servers;
  const started = await container.start(name, containerCommand(scene, name));
  parts.defer(started.kill);
  await unlessInterrupted(started.untilReady(isReady), interrupted);
  if (ROLES.includes(name)) {
    const uid = started.uid();
    check(uid === USER, `${name} runs as user ${uid}`);
  }
  done(`${name} runs`);
  return started;
}

/** The service as parsed, with the entry point of its image. */
function containerCommand({ compose, network, folder }: Scene, name: string): ContainerCommand {
  const volumes = join(folder, 'volumes');
  const { words, env, mounts } = commandOf(compose, name, { volumes, emptyFile: join(folder, 'empty') });
  for (const source of Object.values(mounts).filter((path) => path.startsWith(volumes))) {
    const path = source.replace(/:rw$/, '');
    mkdirSync(path, { recursive: true });
    chownSync(path, USER, USER);
  }
  const standIn = STAND_INS[name];
  const { workingFolder } = standIn ?? {};
  return {
    words: [...(standIn?.entry ?? ENTRY), ...words],
    // HAProxy asks Docker's name server for the replicas; here they are named by address.
    env: {
      ...standIn?.env,
      ...env,
      ...(name === 'balancer' && { API_HOST: network.addresses['api'] ?? '' }),
    },
    mounts,
    network: network.namespaceOf(name),
    ...(workingFolder !== undefined && { workingFolder }),
  };
}

/** The health check of compose.yaml, which Docker runs in the container. */
async function isHealthy(scene: Scene, role: string): Promise<boolean> {
  const words = ['node', 'infra/image/is-alive.mjs'];
  await scene.paywatch.run({ ...containerCommand(scene, role), words });
  return true;
}

function acceptsConnections(host: string | undefined, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: host ?? '' });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Over https by Caddy: register, wallets, orders, payments, webhooks, streams. */
async function sell(
  recorder: Recorder,
  { network, folder }: Scene,
  { payers, receiver }: Surroundings,
): Promise<void> {
  const { parts, check, done, terminal, interrupted } = recorder;
  const root = join(folder, 'volumes/caddy-data/caddy/pki/authorities/local/root.crt');
  const signal = interrupted;
  await waitUntil(() => existsSync(root), { what: 'the certificate of Caddy', signal });
  const address = network.addresses['caddy'] ?? '';
  parts.defer(routeRequests({ host: DOMAIN, address, caPem: readFileSync(root, 'utf8') }));
  const url = `https://${DOMAIN}`;
  const isServed = async () => (await fetch(`${url}/v1/openapi.json`)).ok;
  await waitUntil(isServed, { what: 'the API behind Caddy', signal });
  const redirect = await fetch(`http://${address}/`, { headers: { host: DOMAIN }, redirect: 'manual' });
  check(redirect.status === 308, `http://${DOMAIN} answers ${redirect.status}`);
  await runDemo({ url, payers, receiver }, terminal);
  done('orders in BTC and LTC are paid on regtest and confirmed, over https, with signed webhooks');
}

async function stopServices(
  { done, check }: Recorder,
  processes: readonly ContainerProcess[],
): Promise<void> {
  const codes: string[] = [];
  for (const one of processes.toReversed()) codes.push(`${one.name} ${await one.stop()}`);
  const bad = codes.filter((code) => ROLES.some((role) => code.startsWith(role)) && !code.endsWith(' 0'));
  check(bad.length === 0, `exit codes after SIGTERM: ${bad.join()}`);
  done(`stopped: ${codes.join(', ')}`);
}
