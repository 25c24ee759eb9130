/**
 * `npm run audit`: writes the bill of materials of a deployment to `paywatch.cdx.json`, lists its licences, and queries the registry
 * for known vulnerabilities. The exit code is 1 for a high or critical vulnerability or a licence that is not accepted. If the
 * registry is unreachable it prints a warning and exits with 0, so that it works on machines without internet access.
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

/** Prints the licences. Returns the exit code: 1 if one is not accepted. */
function reportLicences(packages: ReadonlyMap<string, readonly string[]>): number {
  const counts = [...packages].map(([licence, names]) => `${names.length} ${licence}`);
  console.log(`licences: ${counts.join(', ')}`);
  const refused = [...packages].filter(([licence]) => !isAccepted(licence));
  for (const [licence, names] of refused)
    console.error(`licence ${licence} is not accepted: ${names.join(', ')}`);
  return refused.length > 0 ? 1 : 0;
}

/** Prints the vulnerabilities and returns the exit code. */
function reportWeaknesses(): number {
  const found = readAudit(askRegistry());
  if (typeof found === 'string') {
    console.warn(`WARNING: dependencies were NOT checked for vulnerabilities: ${found}`);
    return 0;
  }
  const grave = found.high + found.critical;
  console.log(
    `vulnerabilities: ${found.critical} critical, ${found.high} high, ${found.moderate} moderate, ${found.low} low`,
  );
  if (grave > 0) console.error('for details run: npm audit --omit=dev');
  return grave > 0 ? 1 : 0;
}

function askRegistry(): string {
  const words = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=10000'];
  const { stdout } = spawnSync('npm', words, { cwd: repositoryFolder, encoding: 'utf8', timeout: 60_000 });
  return stdout;
}

/** The number of vulnerabilities by severity, or the reason why the registry could not be queried. */
function readAudit(output: string): Counts | string {
  const answer = parsed(output);
  const counts = countsSchema.safeParse(answer);
  if (counts.success) return counts.data.metadata.vulnerabilities;
  return refusalSchema.safeParse(answer).data?.message ?? 'no response from the registry';
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}
