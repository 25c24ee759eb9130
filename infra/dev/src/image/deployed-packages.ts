import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryFolder } from '../stack/processes.ts';

/** The deployed workspaces: the services, and the pages that the API serves. All others are for building and testing. */
export const DEPLOYED = [
  'services/api',
  'services/watcher',
  'services/webhook-worker',
  'services/serve',
  'services/cli',
  'services/web',
] as const;

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
type Entry = z.infer<typeof entrySchema>;
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });

/** A package in the lock and its folder. */
export type DeployedPackage = {
  path: string;
  name: string;
  version: string | undefined;
  /** For a workspace in node_modules: its folder. */
  linksTo: string | undefined;
};

/**
 * Lists the deployed workspaces and, by the lock, every package that Node can resolve from them. The list includes the optional
 * packages of all platforms, of which npm installs only those of its own.
 */
export function deployedPackages(): DeployedPackage[] {
  const lock = lockSchema.parse(
    JSON.parse(readFileSync(join(repositoryFolder, 'package-lock.json'), 'utf8')),
  ).packages;
  const found = new Map<string, DeployedPackage>();
  const visit = (path: string): void => {
    const entry = lock[path];
    if (entry === undefined || found.has(path)) return;
    const linksTo = entry.link ? entry.resolved : undefined;
    found.set(path, { path, name: entry.name ?? nameOf(path), version: entry.version, linksTo });
    if (linksTo !== undefined) visit(linksTo);
    for (const name of neededBy(entry)) visit(nearest(lock, name, path));
  };
  DEPLOYED.forEach(visit);
  return [...found.values()];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Its dependencies, without optional peers. */
function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Entry) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Resolves a package like Node: in the nearest node_modules upwards. */
function nearest(lock: Record<string, Entry>, name: string, from: string): string {
  const nested = `${from}/node_modules/${name}`;
  if (lock[nested] !== undefined) return nested;
  const above = from.lastIndexOf('/node_modules/');
  return above === -1 ? `node_modules/${name}` : nearest(lock, name, from.slice(0, above));
}
