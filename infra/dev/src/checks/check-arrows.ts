/** `npm run arrows`: fails for an import that ARCHITECTURE.md forbids, and if the tool found no modules to check. */
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
// If TypeScript has no compiler API, the tool ignores all TypeScript files and reports success.
if (ours === 0) console.error('no module of packages/ or services/ was found; nothing was checked');
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
