import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import { loadChainStatuses, type ChainStatus } from '@paywatch/store/chain';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, readSources, type ConfiguredSource, type Env } from '../../config.ts';
import { examples } from '../../terminal/help.ts';
import { probeSource, type SourceProbe } from '../../source-probe.ts';
import { withDatabase } from '../../open-store.ts';
import { blocks, fields, shownMoment } from '../../terminal/text.ts';
import { addRescanCommand } from './chain-rescan.ts';

/** `paywatch chain …` */
export function addChainCommands(program: Command, line: CommandLine): void {
  const group = program.command('chain').description('chain status and rescans');
  group
    .command('status')
    .description('show the watcher’s tip of each chain and that of its nodes')
    .addHelpText(
      'after',
      examples([['paywatch chain status', 'compare the watchers with their nodes']]) +
        '\nUse `paywatch doctor` to find problems. Reads DATABASE_URL, and for BTC and LTC *_NODE_URL, *_ESPLORA_URL and\n*_NETWORK.\n',
    )
    .action(line.action(() => showStatus(line.env)));
  addRescanCommand(group, line);
}

type Chain = { currency: Currency; status: ChainStatus | null; sources: SourceProbe[] };

async function showStatus(env: Env): Promise<Answer> {
  const config = readDatabaseConfig(env);
  const sources = readSources(env);
  return withDatabase(config, async (database) => {
    const statuses = await loadChainStatuses(database);
    const chains = await Promise.all(
      CURRENCIES.map(async (currency) => ({
        currency,
        status: statuses.get(currency) ?? null,
        sources: await probeSourcesOf(currency, sources),
      })),
    );
    const known = chains.filter(({ status, sources: probes }) => status !== null || probes.length > 0);
    return {
      json: { chains: known.map(chainJson) },
      text:
        known.length === 0
          ? 'No chain is watched and no node is configured.'
          : blocks(...known.map(chainText)),
    };
  });
}

function probeSourcesOf(currency: Currency, sources: readonly ConfiguredSource[]): Promise<SourceProbe[]> {
  return Promise.all(sources.filter((source) => source.currency === currency).map(probeSource));
}

function chainJson({ currency, status, sources }: Chain) {
  return {
    currency,
    followed: status !== null,
    ...(status && {
      network: status.network,
      tip: { height: status.tip.height, hash: status.tip.hash, mined_at: status.tip.minedAt.toISOString() },
      known_height: status.knownHeight,
      unscanned_blocks: status.unscannedBlocks,
      fresh: status.isFresh,
      checked_at: status.checkedAt.toISOString(),
      mempool_read_at: status.mempoolReadAt?.toISOString() ?? null,
      watcher: status.hasLeader,
      due_decisions: status.dueDecisions,
    }),
    sources: sources.map(sourceJson),
  };
}

function sourceJson(probe: SourceProbe) {
  const { kind, name } = probe;
  if ('error' in probe) return { kind, name, error: probe.error };
  const { network, height, headers, isInitialDownload } = probe.state;
  return { kind, name, network, height, headers, initial_download: isInitialDownload };
}

function chainText({ currency, status, sources }: Chain): string {
  return fields([
    ['Chain', status === null ? `${currency}, not watched yet` : `${currency} ${status.network}`],
    ...(status === null ? [] : statusFields(status)),
    ...sources.map((probe) => [`${probe.kind} ${probe.name}`, sourceText(probe)] as const),
  ]);
}

function statusFields(status: ChainStatus) {
  const { tip, knownHeight, unscannedBlocks } = status;
  return [
    ['Tip', `${tip.height} ${tip.hash}, mined ${shownMoment(tip.minedAt)}`],
    ['Unscanned blocks', `${unscannedBlocks}, up to block ${knownHeight}`],
    ['View', `${status.isFresh ? 'fresh' : 'STALE'}, checked ${shownMoment(status.checkedAt)}`],
    ['Mempool read', status.mempoolReadAt],
    ['Leader', status.hasLeader ? 'yes' : 'NONE'],
    ['Queued decisions', status.dueDecisions],
  ] as const;
}

function sourceText(probe: SourceProbe): string {
  if ('error' in probe) return `check failed: ${probe.error}`;
  const { network, height, headers, isInitialDownload } = probe.state;
  return `${network ?? 'unknown network'}, block ${height} of ${headers}${isInitialDownload ? ', initial download' : ''}`;
}
