import { failed, ok, warning, type Finding } from '@paywatch/domain/deployment';
import type { Network } from '@paywatch/domain/chain';
import { readSources, type ConfiguredSource, type Env } from '../config.ts';
import { explainFailure } from '../terminal/failure.ts';
import { probeSource, type SourceState } from '../source-probe.ts';

const NONE_ADVICE =
  'Set BTC_NODE_URL, LTC_NODE_URL or both to the JSON-RPC of a node, such as http://user:password@127.0.0.1:8332.';
/** With more headers than this beyond its blocks, the node is still syncing. */
const MAX_BEHIND = 1;

/** Checks that each node and Esplora server responds, is on the right network and is synced. Never rejects. */
export async function checkSources(env: Env): Promise<Finding[]> {
  try {
    const sources = readSources(env);
    if (sources.length === 0) return [failed('Nodes', 'no currency has a node', NONE_ADVICE)];
    return [...(await Promise.all(sources.map(checkSource))), ...currenciesWithoutNode(sources)];
  } catch (error) {
    return [failed('Nodes', explainFailure(error).message, NONE_ADVICE)];
  }
}

/** One warning for each currency that only Esplora servers follow. */
function currenciesWithoutNode(sources: readonly ConfiguredSource[]): Finding[] {
  return [...Map.groupBy(sources, ({ currency }) => currency)].flatMap(([currency, own]) => {
    if (own.some(({ kind }) => kind === 'node')) return [];
    const servers = own.length === 1 ? 'one Esplora server' : `${own.length} Esplora servers`;
    return [warning(`${currency} sources`, `${servers}, no node`, NODELESS_ADVICE)];
  });
}

const NODELESS_ADVICE =
  'An Esplora server can keep payments from you, and show unconfirmed ones that do not exist. Set up a node, or name servers of ' +
  'different people and SECOND_SOURCE_ABOVE_* (docs/chain-sources.md).';

async function checkSource(source: ConfiguredSource): Promise<Finding> {
  const probe = await probeSource(source);
  const check = `${source.currency} ${source.kind} ${probe.name}`;
  if ('error' in probe)
    return failed(
      check,
      probe.error,
      `Check that it is running and reachable from this machine, and that ${source.variable} is correct.`,
    );
  return judgeSource(check, `${source.currency}_NETWORK`, source.network, probe.state);
}

function judgeSource(check: string, variable: string, network: Network, state: SourceState): Finding {
  if (state.network !== network)
    return failed(
      check,
      `is on ${state.network ?? 'an unsupported network'}`,
      `${variable} is ${network}. Change the variable or the server.`,
    );
  // A regtest node reports an initial block download while its last block is older than a day.
  if (state.headers - state.height > MAX_BEHIND || (state.isInitialDownload && network !== 'regtest'))
    return warning(
      check,
      `block ${state.height} of ${state.headers}`,
      'The node is still syncing. Until it is done, payments are seen late and no invoice expires.',
    );
  return ok(check, `${network}, block ${state.height}`);
}
