import { CURRENCIES, type Currency } from '@paywatch/domain';
import { loadChainStatuses, type ChainStatus } from '@paywatch/store';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../command-line.ts';
import { readDatabaseConfig, readNodes, type ConfiguredNode } from '../config.ts';
import { examples } from '../help.ts';
import { probeNode, type NodeProbe } from '../node-probe.ts';
import { withDatabase } from '../open-store.ts';
import { blocks, fields, shownMoment } from '../text.ts';

/** `paywatch chain …` */
export function addChainCommands(program: Command, line: CommandLine): void {
  const group = program.command('chain').description('how the chains are followed');
  group
    .command('status')
    .description('show our tip of each chain beside that of its nodes')
    .addHelpText(
      'after',
      examples([['paywatch chain status', 'how far are the watchers, and how far are the nodes?']]) +
        '\nOnly reports: `paywatch doctor` judges. Reads DATABASE_URL, BTC_NODE_URL and LTC_NODE_URL.\n',
    )
    .action(line.action(showStatus));
}

type Chain = { currency: Currency; status: ChainStatus | null; nodes: NodeProbe[] };

async function showStatus(): Promise<Answer> {
  const config = readDatabaseConfig();
  const nodes = readNodes();
  return withDatabase(config, async (database) => {
    const statuses = await loadChainStatuses(database);
    const chains = await Promise.all(
      CURRENCIES.map(async (currency) => ({
        currency,
        status: statuses.get(currency) ?? null,
        nodes: await probeNodesOf(currency, nodes),
      })),
    );
    const known = chains.filter(({ status, nodes: probes }) => status !== null || probes.length > 0);
    return {
      json: { chains: known.map(chainJson) },
      text:
        known.length === 0
          ? 'No chain is followed, and no node is configured.'
          : blocks(...known.map(chainText)),
    };
  });
}

function probeNodesOf(currency: Currency, nodes: readonly ConfiguredNode[]): Promise<NodeProbe[]> {
  return Promise.all(nodes.filter((node) => node.currency === currency).map(({ url }) => probeNode(url)));
}

function chainJson({ currency, status, nodes }: Chain) {
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
    nodes: nodes.map(nodeJson),
  };
}

function nodeJson(probe: NodeProbe) {
  if ('error' in probe) return { name: probe.name, error: probe.error };
  const { chain, height, headers, isInitialDownload } = probe.state;
  return { name: probe.name, chain, height, headers, initial_download: isInitialDownload };
}

function chainText({ currency, status, nodes }: Chain): string {
  return fields([
    ['Chain', status === null ? `${currency}, not followed yet` : `${currency} ${status.network}`],
    ...(status === null ? [] : statusFields(status)),
    ...nodes.map((probe) => [`Node ${probe.name}`, nodeText(probe)] as const),
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

function nodeText(probe: NodeProbe): string {
  if ('error' in probe) return `no good answer: ${probe.error}`;
  const { chain, height, headers, isInitialDownload } = probe.state;
  return `${chain}, block ${height} of ${headers}${isInitialDownload ? ', initial download' : ''}`;
}
