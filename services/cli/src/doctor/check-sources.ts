import type { Network } from '@paywatch/domain/chain';
import { readSources, type ConfiguredSource, type Env } from '../config.ts';
import { explainFailure } from '../terminal/failure.ts';
import { probeSource, type SourceState } from '../source-probe.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const NONE_ADVICE =
  'Set BTC_NODE_URL, LTC_NODE_URL or both to the JSON-RPC of a node, such as http://user:password@127.0.0.1:8332.';
/** More headers than that without their blocks, and the node is still catching up. */
const MAX_BEHIND = 1;

/** Whether nodes and Esplora servers answer, are on the right network, and are up to date; one finding each. Never rejects. */
export async function checkSources(env: Env): Promise<Finding[]> {
  try {
    const sources = readSources(env);
    if (sources.length === 0) return [failed('Nodes', 'no currency has a node', NONE_ADVICE)];
    return await Promise.all(sources.map(checkSource));
  } catch (error) {
    return [failed('Nodes', explainFailure(error).message, NONE_ADVICE)];
  }
}

async function checkSource(source: ConfiguredSource): Promise<Finding> {
  const probe = await probeSource(source);
  const check = `${source.currency} ${source.kind} ${probe.name}`;
  if ('error' in probe)
    return failed(
      check,
      probe.error,
      `Is it running, may this machine reach it, and is all of ${source.variable} right?`,
    );
  return judgeSource(check, `${source.currency}_NETWORK`, source.network, probe.state);
}

function judgeSource(check: string, variable: string, network: Network, state: SourceState): Finding {
  if (state.network !== network)
    return failed(
      check,
      `is on ${state.network ?? 'a network that Paywatch does not know'}`,
      `${variable} is ${network}: change it, or the server.`,
    );
  // A regtest node says that it downloads for as long as its last block is a day old.
  if (state.headers - state.height > MAX_BEHIND || (state.isInitialDownload && network !== 'regtest'))
    return warning(
      check,
      `block ${state.height} of ${state.headers}`,
      'The node is still catching up: until then nothing expires, and payments are seen late.',
    );
  return ok(check, `${network}, block ${state.height}`);
}
