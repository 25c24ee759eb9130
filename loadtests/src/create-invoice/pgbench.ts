import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A pgbench script and the initial values of its variables. */
export type PgbenchScript = { script: string; variables: Record<string, string | number> };

/**
 * Runs a script on `clients` connections for `seconds` (an integer), after one second of warm-up that does not count towards the
 * rate. Throws if a transaction fails.
 */
export async function runPgbench(
  databaseUrl: string,
  folder: string,
  { script, variables }: PgbenchScript,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ transactions: number; perSecond: number }> {
  const file = join(folder, 'pgbench.sql');
  writeFileSync(file, script);
  const url = new URL(databaseUrl);
  const given = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const child = spawn(
    process.env['PGBENCH'] ?? 'pgbench',
    [
      '--no-vacuum',
      '--progress=1',
      `--client=${clients}`,
      `--time=${seconds + 1}`,
      `--file=${file}`,
      ...given,
      url.pathname.slice(1),
    ],
    { env: { ...process.env, ...connection(url) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`pgbench ended with ${String(code)}: ${errors}`);
  return { transactions: transactionsIn(output), perSecond: rateAfterFirst(errors) };
}

/** The connection, with the session settings of the store. A generic plan from the start: custom plans would take most of the run. */
function connection(url: URL): Record<string, string> {
  return {
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGOPTIONS: '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan',
  };
}

function transactionsIn(output: string): number {
  const found = /actually processed: (\d+)/.exec(output)?.[1];
  if (found === undefined) throw new Error(`pgbench said:\n${output}`);
  return Number(found);
}

/** The mean rate of all seconds after the first one that has transactions. */
function rateAfterFirst(progress: string): number {
  const all = [...progress.matchAll(/^progress: .*?, ([\d.]+) tps/gm)].map(([, rate]) => Number(rate));
  const rates = all.slice(all.findIndex((rate) => rate > 0) + 1);
  if (rates.length === 0) throw new Error(`pgbench said:\n${progress}`);
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
