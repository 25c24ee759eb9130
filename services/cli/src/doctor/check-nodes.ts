import { NODE_CHAIN_NAMES, type Network } from '@paywatch/domain';
import { readNodes, type ConfiguredNode } from '../config.ts';
import { probeNode, type NodeState } from '../node-probe.ts';
import { explainFailure } from '../failure.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const NONE_ADVICE =
  'Set BTC_NODE_URL, LTC_NODE_URL or both to the JSON-RPC of a node, such as http://user:password@127.0.0.1:8332.';
/** More headers than that without their blocks, and the node is still catching up. */
const MAX_BEHIND = 1;

/** Whether the nodes answer, are on the right network, and are up to date; one finding for each. Never rejects. */
export async function checkNodes(): Promise<Finding[]> {
  try {
    const nodes = readNodes();
    if (nodes.length === 0) return [failed('Nodes', 'no currency has a node', NONE_ADVICE)];
    return await Promise.all(nodes.map(checkNode));
  } catch (error) {
    return [failed('Nodes', explainFailure(error).message, NONE_ADVICE)];
  }
}

async function checkNode({ currency, network, url }: ConfiguredNode): Promise<Finding> {
  const probe = await probeNode(url);
  const check = `${currency} node ${probe.name}`;
  if ('error' in probe)
    return failed(
      check,
      probe.error,
      `Is the node running, and are user and password in ${currency}_NODE_URL right?`,
    );
  return judgeNode(check, `${currency}_NETWORK`, network, probe.state);
}

function judgeNode(check: string, variable: string, network: Network, state: NodeState): Finding {
  if (!NODE_CHAIN_NAMES[network].includes(state.chain))
    return failed(check, `is on ${state.chain}`, `${variable} is ${network}: change it, or the node.`);
  const behind = state.headers - state.height;
  // A regtest node says that it downloads for as long as its last block is a day old.
  if (behind > MAX_BEHIND || (state.isInitialDownload && network !== 'regtest'))
    return warning(
      check,
      `block ${state.height} of ${state.headers}`,
      'The node is still catching up: until then nothing expires, and payments are seen late.',
    );
  return ok(check, `${state.chain}, block ${state.height}`);
}
