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
  const group = program.command('chain').description('how the chains are followed');
  group
    .command('status')
    .description('show our tip of each chain beside that of its nodes')
    .addHelpText(
      'after',
      examples([['paywatch chain status', 'how far are the watchers, and how far are the nodes?']]) +
        '\nOnly reports: `paywatch doctor` judges. Reads DATABASE_URL, and for BTC and LTC *_NODE_URL,\n*_ESPLORA_URL and *_NETWORK.\n',
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
          ? 'No chain is followed, and no node is configured.'
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
    ['Chain', status === null ? `${currency}, not followed yet` : `${currency} ${status.network}`],
    ...(status === null ? [] : statusFields(status)),
    ...sources.map((probe) => [`${probe.kind} ${probe.name}`, sourceText(probe)] as const),
  ]);
}

function statusFields(status: ChainStatus) {
  const { tip, knownHeight, unscannedBlocks } = status;
  return [
    ['Tip', `${tip.height} ${tip.hash}, mined ${shownMoment(tip.minedAt)}`],
    ['Blocks to read', `${unscannedBlocks} of those up to ${knownHeight}`],
    ['View', `${status.isFresh ? 'fresh' : 'STALE'}, checked ${shownMoment(status.checkedAt)}`],
    ['Mempool read', status.mempoolReadAt],
    ['Watcher', status.hasLeader ? 'one leads' : 'NONE leads'],
    ['Due decisions', status.dueDecisions],
  ] as const;
}

function sourceText(probe: SourceProbe): string {
  if ('error' in probe) return `no good answer: ${probe.error}`;
  const { network, height, headers, isInitialDownload } = probe.state;
  return `${network ?? 'unknown network'}, block ${height} of ${headers}${isInitialDownload ? ', initial download' : ''}`;
}
