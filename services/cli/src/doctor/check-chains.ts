import { judgeChain, skipped, WATCHER_ADVICE, type Finding } from '@paywatch/domain/deployment';
import type { Currency } from '@paywatch/domain/values';
import { loadChainStatuses } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';
import { readSources, type ConfiguredSource, type Env } from '../config.ts';
import { attempt } from './attempt.ts';

/** Checks that a watcher follows each configured chain and keeps up, with one finding per chain. Never rejects. */
export async function checkChains(env: Env, database: Database): Promise<Finding[]> {
  const configured = readConfiguredChains(env);
  if (configured.size === 0) return [skipped('Watchers', 'no node or Esplora server is configured')];
  const findings: Finding[] = [];
  for (const [currency, source] of configured) {
    const look = async () =>
      judgeChain(currency, source.network, (await loadChainStatuses(database)).get(currency) ?? null);
    findings.push(await attempt(`${currency} watcher`, WATCHER_ADVICE, look));
  }
  return findings;
}

function readConfiguredChains(env: Env): Map<Currency, ConfiguredSource> {
  try {
    return new Map(readSources(env).map((source) => [source.currency, source]));
  } catch {
    return new Map(); // checkSources reports the error.
  }
}
