import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { DEPLOYED } from '../image/deployed-packages.ts';
import { repositoryFolder } from '../stack/processes.ts';

const licenceSchema = z.looseObject({
  license: z.looseObject({ id: z.string().optional(), name: z.string().optional() }).optional(),
  expression: z.string().optional(),
});
const bomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), licenses: z.array(licenceSchema).optional() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
/** The parts of a CycloneDX 1.5 bill of materials that are used here. */
export type BillOfMaterials = z.infer<typeof bomSchema>;

/**
 * Lists every package that the deployed services need, on every platform, with the version, hash and licence from the lock. npm
 * generates the list, but its `--omit=dev` also omits packages that tests use as well; `npm ls` reports the needed ones.
 */
export async function billOfMaterials(): Promise<BillOfMaterials> {
  const [all, needed] = await Promise.all([
    npm('sbom', '--sbom-format=cyclonedx').then((text) => bomSchema.parse(JSON.parse(text))),
    neededPackages(),
  ]);
  const root = all.metadata.component;
  const isNeeded = (ref: string): boolean => needed.has(ref);
  return {
    ...all,
    // npm names it after the folder of the checkout.
    metadata: { ...all.metadata, component: { ...root, name: 'paywatch' } },
    components: onceEach(
      all.components.filter((component) => isNeeded(component['bom-ref'])),
      (component) => component['bom-ref'],
    ),
    dependencies: onceEach(
      all.dependencies.filter(({ ref }) => ref === root['bom-ref'] || isNeeded(ref)),
      ({ ref }) => ref,
    ).map((one) => ({ ...one, dependsOn: one.dependsOn.filter(isNeeded) })),
  };
}

/** npm 10 lists a package once for each of its folders. */
function onceEach<One>(all: readonly One[], refOf: (one: One) => string): One[] {
  return [...new Map(all.map((one) => [refOf(one), one])).values()];
}

type Listed = { version?: string | undefined; dependencies?: Record<string, Listed> | undefined };
const listedSchema: z.ZodType<Listed> = z.lazy(() =>
  z.object({ version: z.string().optional(), dependencies: z.record(z.string(), listedSchema).optional() }),
);

async function neededPackages(): Promise<Set<string>> {
  const tree = listedSchema.parse(JSON.parse(await npm('ls', '--all', '--omit=dev', '--json')));
  const needed = new Set<string>();
  const visit = ({ dependencies = {} }: Listed): void => {
    for (const [name, one] of Object.entries(dependencies)) {
      if (one.version !== undefined) needed.add(`${name}@${one.version}`);
      visit(one);
    }
  };
  visit(tree);
  return needed;
}

async function npm(...words: string[]): Promise<string> {
  const workspaces = DEPLOYED.flatMap((path) => ['-w', path]);
  const options = { cwd: repositoryFolder, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
  return (await promisify(execFile)('npm', [...words, '--package-lock-only', ...workspaces], options)).stdout;
}
