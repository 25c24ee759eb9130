import { repositoryFolder } from '@paywatch/dev/stack';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { callProgram } from '../shared/call-program.ts';
import type { Containers } from '../shared/containers.ts';
import type { Recorder } from '../shared/record-trial.ts';

/** The image that the Dockerfile starts from. */
export type BaseImage = { name: string; node: string; suite: string };

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Reads the base image of a Dockerfile. Throws if its stages differ, or if it is not Node on a Debian suite. */
export function baseImageOf(dockerfile: string): BaseImage {
  const names = new Set([...dockerfile.matchAll(/^FROM ([^\s@]+)/gm)].map(([, name = '']) => name));
  const [name = ''] = names;
  const [, node, suite] = /^node:(\d+\.\d+\.\d+)-([a-z]+)-slim$/.exec(name) ?? [];
  if (names.size !== 1 || node === undefined || suite === undefined)
    throw new Error(`the Dockerfile is not based on one image of Node: ${[...names].join()}`);
  return { name, node, suite };
}

/**
 * Builds an image with the name of the Dockerfile's base, because no registry may be reachable: a Debian root, the pinned Node and npm.
 * It trusts the certificates of this machine, which may reach the npm registry through a proxy of its own.
 */
export async function buildBaseImage(
  containers: Containers,
  { folder, interrupted }: Recorder,
  base: BaseImage,
): Promise<void> {
  if (process.version !== `v${base.node}`)
    throw new Error(`the Dockerfile has Node ${base.node}, package.json ${process.version}`);
  const root = join(folder, 'root');
  const packages = '--include=ca-certificates,libatomic1';
  await callProgram('debootstrap', ['--variant=minbase', packages, base.suite, root], { interrupted });
  for (const path of ['var/cache/apt', 'var/lib/apt/lists'])
    rmSync(join(root, path), { recursive: true, force: true });
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  await installNpm(root, interrupted);
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
  const file = join(folder, 'Containerfile');
  writeFileSync(
    file,
    ['FROM scratch', 'COPY root/ /', `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, ''].join('\n'),
  );
  await containers.build(`docker.io/library/${base.name}`, file, folder);
}

/** The npm that package.json names. */
async function installNpm(root: string, interrupted: AbortSignal): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(repositoryFolder, 'package.json'), 'utf8'));
  const { packageManager } = z.object({ packageManager: z.string().startsWith('npm@') }).parse(manifest);
  const words = ['install', '--global', '--prefix', join(root, 'usr/local'), packageManager];
  await callProgram('npm', words, { cwd: '/', interrupted });
}
