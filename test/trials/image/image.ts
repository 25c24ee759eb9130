import { freePort } from '@paywatch/dev/servers';
import { runDemo, startStack, type Stack } from '@paywatch/dev/stack';
import { chownSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from '@paywatch/dev/stack';
import { buildImage, IMAGE, IMAGE_PROGRAMS } from '../shared/build-image.ts';
import { callProgram } from '../shared/call-program.ts';
import {
  writeSecrets,
  type Container,
  type ContainerProcess,
  type Containers,
} from '../shared/containers.ts';
import { createTrial, unlessInterrupted, type Recorder } from '../shared/record-trial.ts';

const ENTRY = ['node', 'infra/image/start.mjs'];
const USER = 1000;

/** Builds the image, starts its roles beside Postgres, Redis and nodes of this machine, and runs an order per currency. */
export const run = createTrial(IMAGE_PROGRAMS, async (recorder) =>
  tryImage(recorder, await buildImage(recorder)),
);

async function tryImage(recorder: Recorder, containers: Containers): Promise<void> {
  const { parts, done } = recorder;
  const user = await containers.inspect(IMAGE, '{{.Config.User}}');
  recorder.check(user === '1000:1000', `the image runs as ${user}`);
  const container = await containers.create(IMAGE);
  await initCompose(recorder, container);
  const stack = await startStack({
    ownServers: true,
    realBitcoin: true,
    external: true,
    folder: recorder.folder,
  });
  parts.defer(stack.stop);
  done('Postgres, Redis, nodes, balancer and the merchant are up on this machine');
  const { processes, adminPorts } = await startRoles(recorder, container, stack);
  await runDemo(stack, recorder.terminal);
  await checkHealthCommand(recorder, container, adminPorts);
  await stopRoles(recorder, processes);
  await checkUnchanged(recorder, container);
}

/** The first command of an operator without Node: `.env` and secrets, by the image. */
async function initCompose({ folder, done, check }: Recorder, container: Container): Promise<void> {
  const own = join(folder, 'compose');
  mkdirSync(own);
  for (const file of ['compose.yaml', '.env.example'])
    await copyFile(join(repositoryFolder, file), join(own, file));
  chownSync(own, USER, USER);
  const words = [...ENTRY, 'init', '--compose', '/compose', '--btc', 'node'];
  await container.run({ words, mounts: { '/compose': `${own}:rw` } });
  const count = readdirSync(join(own, 'secrets')).length;
  check(count > 20, `init wrote ${count} secrets`);
  done(`init --compose writes .env and ${count} secrets`);
}

type Roles = { processes: ContainerProcess[]; adminPorts: number[] };

async function startRoles(recorder: Recorder, container: Container, stack: Stack): Promise<Roles> {
  const { parts, folder, done, check, interrupted } = recorder;
  const secrets = join(folder, 'secrets');
  const { NODE_ENV: _, ...settings } = stack.env;
  const env = writeSecrets(secrets, {
    ...withoutFiles(settings),
    DATABASE_URL: await stack.postgres.createDatabase(),
  });
  const mounts = { '/run/secrets': secrets };
  done(`migrate: ${await container.run({ words: [...ENTRY, 'migrate'], env, mounts })}`);
  const [address] = stack.apiAddresses;
  const roles = [
    { role: 'api', ports: { PORT: address?.port ?? 0, ADMIN_PORT: address?.adminPort ?? 0 } },
    { role: 'watcher', ports: { ADMIN_PORT: await freePort() } },
    { role: 'webhook-worker', ports: { ADMIN_PORT: await freePort() } },
  ];
  const processes: ContainerProcess[] = [];
  for (const { role, ports } of roles) {
    const own = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    const started = await container.start(role, { words: [...ENTRY, role], env: { ...env, ...own }, mounts });
    parts.defer(started.kill);
    processes.push(started);
    await unlessInterrupted(
      started.untilReady(() => isReady(ports.ADMIN_PORT)),
      interrupted,
    );
    const uid = started.uid();
    check(uid === USER, `${role} runs as user ${uid}`);
    done(`${role} is ready, as user ${uid}`);
  }
  return { processes, adminPorts: roles.map(({ ports }) => ports.ADMIN_PORT) };
}

/** Values in place of the paths of files, which the container does not see. */
function withoutFiles(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) =>
      name.endsWith('_FILE') ? [name.slice(0, -'_FILE'.length), readFileSync(value, 'utf8')] : [name, value],
    ),
  );
}

async function isReady(adminPort: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${adminPort}/health/ready`)).ok;
}

async function checkHealthCommand(
  { done }: Recorder,
  container: Container,
  ports: readonly number[],
): Promise<void> {
  for (const port of ports)
    await container.run({ words: ['node', 'infra/image/is-alive.mjs'], env: { ADMIN_PORT: String(port) } });
  done('the health check of the image succeeds for every role');
}

async function stopRoles({ done, check }: Recorder, processes: readonly ContainerProcess[]): Promise<void> {
  const codes = await Promise.all(processes.map((one) => one.stop()));
  check(
    codes.every((code) => code === 0),
    `exit codes after SIGTERM: ${codes.join()}`,
  );
  done('every role exits with 0 on SIGTERM');
}

/** chroot isolation has no read-only root: a role that wrote a file would leave it there. */
async function checkUnchanged({ done, check, interrupted }: Recorder, container: Container): Promise<void> {
  const root = await container.root();
  const written = await callProgram('find', [root, '-xdev', '-uid', String(USER)], { interrupted });
  check(written === '', `the roles wrote ${written}`);
  done('no role wrote a file');
}
