import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { billOfMaterials, DEPLOYED } from '../src/bill-of-materials.ts';
import { repositoryFolder } from '../src/processes.ts';

const names = z.record(z.string(), z.string()).default({});
const entrySchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().default(false),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().default(false) })).default({}),
});
const lock = z
  .object({ packages: z.record(z.string(), entrySchema) })
  .parse(JSON.parse(readFileSync(join(repositoryFolder, 'package-lock.json'), 'utf8'))).packages;

test('the bill of materials has every package that a deployed service can load, with its hash, and no other', async () => {
  const { components } = await billOfMaterials();
  const listed = components.map((component) => component['bom-ref']).toSorted();
  const reachable = reachableFrom(DEPLOYED);
  expect(reachable.length).toBeGreaterThan(100);
  expect(listed).toEqual(reachable);
  const unhashed = components.filter(({ hashes }) => hashes === undefined).map((one) => one['bom-ref']);
  expect(unhashed.filter((ref) => !ref.startsWith('@paywatch/'))).toEqual([]);
});

/** What Node would find from these workspaces, by the lock: the way up through node_modules, from one package to the next. */
function reachableFrom(workspaces: readonly string[]): string[] {
  const seen = new Set<string>();
  const refs = new Set<string>();
  const visit = (path: string): void => {
    const entry = lock[path];
    if (entry === undefined || seen.has(path)) return;
    seen.add(path);
    if (entry.link) return visit(entry.resolved ?? '');
    refs.add(
      `${entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`,
    );
    for (const name of neededBy(entry)) visit(find(name, path));
  };
  workspaces.forEach(visit);
  return [...refs].toSorted();
}

/** Of peers, only those that it cannot do without. */
function neededBy(entry: z.infer<typeof entrySchema>): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The nearest one on the way up. */
function find(name: string, from: string): string {
  const nested = `${from}/node_modules/${name}`;
  if (lock[nested] !== undefined) return nested;
  const above = from.lastIndexOf('/node_modules/');
  return above === -1 ? `node_modules/${name}` : find(name, from.slice(0, above));
}
