import { repositoryFolder, type Stack } from '@paywatch/dev/stack';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';

/** What Paywatch knew of chains and money. */
const TABLES = ['chains', 'chain_blocks', 'transactions', 'payments', 'invoices', 'due_decisions'] as const;

/**
 * Keeps the logs of all processes and what Postgres holds of chains and money, which a run deletes at its end. Returns the folder, in
 * which an earlier run of the same seed is overwritten.
 */
export async function keepEvidence({ folder, postgres: { url } }: Stack, seed: number): Promise<string> {
  const kept = join(repositoryFolder, '.paywatch', `chaos-chain-${seed}`);
  mkdirSync(kept, { recursive: true });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.log')))
    cpSync(join(folder, name), join(kept, name));
  const sql = postgres(url, { max: 1 });
  try {
    for (const table of TABLES) {
      const rows = await sql<{ line: string }[]>`select to_json(t)::text as line from ${sql(table)} t`;
      writeFileSync(join(kept, `${table}.jsonl`), rows.map(({ line }) => `${line}\n`).join(''));
    }
  } finally {
    await sql.end();
  }
  return kept;
}
