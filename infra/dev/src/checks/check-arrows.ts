/** The entry of `npm run arrows`: fails when an import goes against the arrows, or when the tool saw nothing to check. */
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { existsSync } from 'node:fs';
import { findAmbientReads } from './ambient-reads.ts';
import { importArrows } from './import-arrows.ts';
import { repositoryFolder } from '../stack/processes.ts';

process.chdir(repositoryFolder);
const { modules, summary } = await lookAtImports();
const ours = modules.filter(({ source }) => /^(packages|services)\/[^/]+\/src\//.test(source)).length;
const ambient = findAmbientReads(repositoryFolder);

for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
for (const { file, line, text } of ambient)
  console.error(`clock-randomness-and-environment: ${file}:${line} ${text}`);
// With a TypeScript that has no compiler API the tool sees no TypeScript at all, and is content.
if (ours === 0) console.error('no module of packages/ or services/ was looked at: the check is blind');
const count = summary.violations.length + ambient.length;
console.log(
  `arrows: ${ours} modules, ${summary.totalDependenciesCruised ?? 0} imports, ${count} against the arrows`,
);
process.exitCode = ours > 0 && count === 0 ? 0 : 1;

async function lookAtImports(): Promise<ICruiseResult> {
  const folders = ['packages', 'services', 'infra/dev', 'test', 'loadtests'].filter((folder) =>
    existsSync(folder),
  );
  const { output } = await cruise(
    folders,
    {
      ruleSet: { forbidden: importArrows },
      validate: true,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '(^|/)(dist|coverage|migrations)/' },
    },
    {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts'],
    },
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
}
