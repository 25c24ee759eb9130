import { repositoryFolder } from '@paywatch/dev/stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseImageOf, buildBaseImage } from '../image/base-image.ts';
import { openContainers, type Containers } from './containers.ts';
import type { Recorder } from './record-trial.ts';

/** The tag of the image under trial, as in compose.yaml. */
export const IMAGE = 'localhost/paywatch:latest';

/** The programs that building and starting images needs. */
export const IMAGE_PROGRAMS = ['podman', 'buildah', 'debootstrap'];

/** Builds the Dockerfile as it stands, on a base image that is made here. */
export async function buildImage(recorder: Recorder): Promise<Containers> {
  const { folder, done, interrupted } = recorder;
  const containers = openContainers(folder, interrupted);
  const file = join(repositoryFolder, 'Dockerfile');
  const base = baseImageOf(readFileSync(file, 'utf8'));
  await buildBaseImage(containers, recorder, base);
  done(`${base.name} is made of Debian ${base.suite}, Node ${base.node} and npm`);
  await containers.build(IMAGE, file, repositoryFolder);
  const size = Number(await containers.inspect(IMAGE, '{{.Size}}'));
  done(`podman builds the Dockerfile: ${Math.round(size / 1e6)} MB with its base`);
  return containers;
}
