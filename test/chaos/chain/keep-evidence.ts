import { repositoryFolder, type Stack } from '@paywatch/dev/stack';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDriverStore } from '../shared/stage.ts';

const TABLES = [
  'chains',
  'chain_blocks',
  'transactions',
  'transaction_inputs',
  'payments',
  'invoices',
  'pool_addresses',
  'due_decisions',
] as const;

/**
 * Copies the logs of all processes and the tables about chains and payments, which are deleted when the run ends. Returns the folder; a
 * later run with the same seed overwrites it.
 */
export async function keepEvidence({ folder, postgres, redis }: Stack, seed: number): Promise<string> {
  const kept = join(repositoryFolder, '.paywatch', `chaos-chain-${seed}`);
  mkdirSync(kept, { recursive: true });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.log')))
    cpSync(join(folder, name), join(kept, name));
  const store = openDriverStore(postgres, redis);
  try {
    for (const table of TABLES) {
      const rows = await store.sql<{ line: string }[]>`
        select to_json(t)::text as line from ${store.sql(table)} t`;
      writeFileSync(join(kept, `${table}.jsonl`), rows.map(({ line }) => `${line}\n`).join(''));
    }
  } finally {
    await store.close();
  }
  return kept;
}
