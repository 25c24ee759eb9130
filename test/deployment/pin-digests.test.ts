import { repositoryFolder } from '@paywatch/dev/stack';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const FILES = ['Dockerfile', 'compose.yaml'];
const NAMED = /^(?: *image:|FROM) +(\S+)/gm;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paywatch-pins-'));
  const made = folder;
  onTestFinished(() => rm(made, { recursive: true }));
  for (const file of FILES) await copyFile(join(repositoryFolder, file), join(folder, file));
  await mkdir(join(folder, 'bin'));
});

test('every third-party image is pinned to the digest of its registry, and updated on the next run', async () => {
  const before = await imagesNamed();
  for (const digit of ['1', '2']) {
    await answerAs(`echo "Name: docker.io/$4"; echo "Digest:    sha256:$(printf '${digit}%.0s' $(seq 64))"`);
    await pin();
    const pinned = before.map((image) =>
      image === 'paywatch:latest' ? image : `${image}@sha256:${digit.repeat(64)}`,
    );
    expect(await imagesNamed()).toEqual(pinned);
  }
  expect(before.length).toBeGreaterThan(8);
});

test('nothing but the digests changes', async () => {
  await answerAs(`echo "Digest: sha256:$(printf 'a%.0s' $(seq 64))"`);
  await pin();
  for (const file of FILES) {
    const pinned = await readFile(join(folder, file), 'utf8');
    const shipped = await readFile(join(repositoryFolder, file), 'utf8');
    expect(withoutDigests(pinned)).toBe(withoutDigests(shipped));
  }
});

test('if one registry does not respond, nothing is written', async () => {
  await answerAs(`case "$4" in redis*) exit 1;; esac; echo "Digest: sha256:$(printf 'a%.0s' $(seq 64))"`);
  const before = await imagesNamed();
  await expect(pin()).rejects.toThrow(/redis:\S+: its registry named no digest/);
  expect(await imagesNamed()).toEqual(before);
});

/** Replaces `docker buildx imagetools inspect`, which queries registries. */
async function answerAs(answer: string): Promise<void> {
  await writeFile(join(folder, 'bin', 'docker'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
}

async function pin(): Promise<void> {
  const script = join(repositoryFolder, 'infra/pin-digests.sh');
  const path = `${join(folder, 'bin')}:${process.env['PATH']}`;
  await promisify(execFile)('sh', [script, folder], { env: { ...process.env, PATH: path } });
}

async function imagesNamed(): Promise<string[]> {
  const texts = await Promise.all(FILES.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, image = '']) => image));
}

function withoutDigests(text: string): string {
  return text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');
}
