/**
 * The entry of `npm run audit`: writes what a deployment consists of to `paywatch.cdx.json`, and asks the registry for known weaknesses
 * of it. Names the licences, too. Ends with 1 where a weakness is high or critical, or a licence is not accepted. Where the registry cannot be asked it says so and ends with 0: a machine without
 * a way out can say nothing about weaknesses, neither good nor bad.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { billOfMaterials } from '../checks/bill-of-materials.ts';
import { isAccepted, packagesByLicence } from '../checks/licences.ts';
import { repositoryFolder } from '../stack/processes.ts';

const FILE = 'paywatch.cdx.json';

const countsSchema = z.object({
  metadata: z.object({
    vulnerabilities: z.object({
      low: z.number(),
      moderate: z.number(),
      high: z.number(),
      critical: z.number(),
    }),
  }),
});
type Counts = z.infer<typeof countsSchema>['metadata']['vulnerabilities'];
const refusalSchema = z.object({ message: z.string() });

const bill = await billOfMaterials();
writeFileSync(join(repositoryFolder, FILE), `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${FILE}: ${bill.components.length} packages`);
const codes = [reportLicences(packagesByLicence(bill)), reportWeaknesses()];
process.exit(Math.max(...codes));

/** The exit code: 1 where a package has a licence that is not accepted. */
function reportLicences(packages: ReadonlyMap<string, readonly string[]>): number {
  const counts = [...packages].map(([licence, names]) => `${names.length} ${licence}`);
  console.log(`licences: ${counts.join(', ')}`);
  const refused = [...packages].filter(([licence]) => !isAccepted(licence));
  for (const [licence, names] of refused)
    console.error(`licence ${licence} is not accepted: ${names.join(', ')}`);
  return refused.length > 0 ? 1 : 0;
}

/** The exit code. */
function reportWeaknesses(): number {
  const found = readAudit(askRegistry());
  if (typeof found === 'string') {
    console.warn(`WARNING: known weaknesses of dependencies were NOT looked for: ${found}`);
    return 0;
  }
  const grave = found.high + found.critical;
  console.log(
    `weaknesses: ${found.critical} critical, ${found.high} high, ${found.moderate} moderate, ${found.low} low`,
  );
  if (grave > 0) console.error('see them with: npm audit --omit=dev');
  return grave > 0 ? 1 : 0;
}

function askRegistry(): string {
  const words = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=10000'];
  const { stdout } = spawnSync('npm', words, { cwd: repositoryFolder, encoding: 'utf8', timeout: 60_000 });
  return stdout;
}

/** What was found, or why nothing could be. */
function readAudit(output: string): Counts | string {
  const answer = parsed(output);
  const counts = countsSchema.safeParse(answer);
  if (counts.success) return counts.data.metadata.vulnerabilities;
  return refusalSchema.safeParse(answer).data?.message ?? 'the registry gave no answer';
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}
