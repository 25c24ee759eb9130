import type { Currency } from '@paywatch/domain/values';
import { loadChainStatuses, type ChainStatus } from '@paywatch/store/chain';
import type { Database } from '@paywatch/store/postgres';
import { readSources, type ConfiguredSource, type Env } from '../config.ts';
import { shownMoment } from '../terminal/text.ts';
import { attempt, failed, ok, skipped, warning, type Finding } from './finding.ts';

const WATCHER_ADVICE =
  'Start a watcher (services/watcher) with the same DATABASE_URL and node, or read its log.';

/** Whether a watcher follows every chain that is offered, and keeps up; one finding for each. Never rejects. */
export async function checkChains(env: Env, database: Database): Promise<Finding[]> {
  const offered = tryReadOffered(env);
  if (offered.size === 0) return [skipped('Watchers', 'no node or Esplora server is configured')];
  const findings: Finding[] = [];
  for (const [currency, source] of offered) {
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
  if (status === null) return failed(check, 'the chain was never followed', WATCHER_ADVICE);
  if (status.network !== network)
    return failed(
      check,
      `this database follows ${status.network}`,
      `${currency}_NETWORK is ${network}: use another database, or the network of this one.`,
    );
  if (!status.hasLeader)
    return failed(check, `none leads; last look ${shownMoment(status.checkedAt)}`, WATCHER_ADVICE);
  if (!status.isFresh)
    return warning(
      check,
      `the view is stale since about ${shownMoment(status.checkedAt)}, ${status.unscannedBlocks} blocks to read`,
      'Nothing expires meanwhile. If it stays so, look at the node and at the log of the watcher.',
    );
  return ok(check, `follows ${network}, block ${status.tip.height}`);
}

function tryReadOffered(env: Env): Map<Currency, ConfiguredSource> {
  try {
    return new Map(readSources(env).map((source) => [source.currency, source]));
  } catch {
    return new Map(); // What is wrong with them is the finding of checkSources.
  }
}
