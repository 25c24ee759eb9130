import type { Currency } from '@paywatch/domain/values';
import { loadChainStatuses, type ChainStatus } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';
import { readSources, type ConfiguredSource, type Env } from '../config.ts';
import { shownMoment } from '../terminal/text.ts';
import { attempt, failed, ok, skipped, warning, type Finding } from './finding.ts';

const WATCHER_ADVICE =
  'Start a watcher (services/watcher) with the same DATABASE_URL and node, or check its log.';

/** Checks that a watcher follows each configured chain and keeps up, with one finding per chain. Never rejects. */
export async function checkChains(env: Env, database: Database): Promise<Finding[]> {
  const configured = readConfiguredChains(env);
  if (configured.size === 0) return [skipped('Watchers', 'no node or Esplora server is configured')];
  const findings: Finding[] = [];
  for (const [currency, source] of configured) {
    const check = `${currency} watcher`;
    const look = async () =>
      judgeChain(check, source, (await loadChainStatuses(database)).get(currency) ?? null);
    findings.push(await attempt(check, WATCHER_ADVICE, look));
  }
  return findings;
}

function judgeChain(
  check: string,
  { network, currency }: ConfiguredSource,
  status: ChainStatus | null,
): Finding {
  if (status === null) return failed(check, 'no watcher has followed this chain yet', WATCHER_ADVICE);
  if (status.network !== network)
    return failed(
      check,
      `this database follows ${status.network}`,
      `${currency}_NETWORK is ${network}. Use another database or change the variable.`,
    );
  if (!status.hasLeader)
    return failed(check, `no leader; last check ${shownMoment(status.checkedAt)}`, WATCHER_ADVICE);
  if (!status.isFresh)
    return warning(
      check,
      `stale since about ${shownMoment(status.checkedAt)}, ${status.unscannedBlocks} blocks not scanned`,
      'No invoice expires while the view is stale. If this persists, check the node and the log of the watcher.',
    );
  return ok(check, `follows ${network}, block ${status.tip.height}`);
}

function readConfiguredChains(env: Env): Map<Currency, ConfiguredSource> {
  try {
    return new Map(readSources(env).map((source) => [source.currency, source]));
  } catch {
    return new Map(); // checkSources reports the error.
  }
}
