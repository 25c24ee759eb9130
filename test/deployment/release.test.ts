import { repositoryFolder } from '@paywatch/dev/stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const text = readFileSync(join(repositoryFolder, '.github/workflows/release.yml'), 'utf8');
const stepShape = z.looseObject({ uses: z.string().optional(), run: z.string().optional() });
const { jobs, permissions } = z
  .object({
    permissions: z.record(z.string(), z.string()),
    jobs: z.record(
      z.string(),
      z.looseObject({
        needs: z.string().optional(),
        permissions: z.record(z.string(), z.string()).optional(),
        steps: z.array(stepShape),
      }),
    ),
  })
  .parse(parse(text));
const steps = Object.values(jobs).flatMap((job) => job.steps);

test('every action is pinned by digest', () => {
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

test('nothing is published before the checks pass, and only the job that publishes may write', () => {
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.entries(jobs).map(([name, { needs, permissions: own }]) => [name, needs, own])).toEqual([
    ['check', undefined, undefined],
    ['image', 'check', { contents: 'read', packages: 'write', 'id-token': 'write' }],
    ['npm', 'check', { contents: 'read', 'id-token': 'write' }],
  ]);
});

test('the image is built for two architectures and signed by digest, and packages have their provenance', () => {
  expect(text).toContain('platforms: linux/amd64,linux/arm64');
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands).toContain('cosign sign --yes --recursive "$IMAGE@$DIGEST"');
  expect(commands).toContain('npm publish --provenance --access public');
});

test('a tag is compared with the versions that are released', () => {
  const version = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(repositoryFolder, 'package.json'), 'utf8'))).version;
  const chart = readFileSync(join(repositoryFolder, 'infra/helm/paywatch/Chart.yaml'), 'utf8');
  expect(chart).toContain(`\nappVersion: ${version}\n`);
});

test('no command contains an expression, whose value could be read as shell', () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
});
