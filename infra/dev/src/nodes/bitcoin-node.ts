import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { findBitcoinKnots } from '../../bitcoin-knots.mjs';
import { freePort } from '../servers/free-port.ts';
import { coreArguments, coreSettings, startChainNode, type ChainNode } from './node-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** How a Bitcoin node is started. */
export type BitcoinNodeOptions = {
  zmq?: boolean;
  /** Prefers Bitcoin Knots, Core's code, where bootstrap.mjs could bring it. */
  real?: boolean;
};

/**
 * Starts a Bitcoin node on regtest with an empty chain: the Bitcoin Core that `BITCOIND` names, else with `real` Bitcoin Knots
 * where it was brought, else bcoin from npm. Segwit counts from block 432 on in bcoin; `createPayer().fund()` brings the chain there. Core always publishes its news by
 * ZeroMQ, bcoin with `zmq`, by a publisher of ours.
 */
export async function startBitcoinNode({
  zmq = false,
  real = false,
}: BitcoinNodeOptions = {}): Promise<ChainNode> {
  const bitcoind = process.env['BITCOIND'] || (real ? findBitcoinKnots() : undefined);
  return bitcoind === undefined ? startBcoin(zmq) : startBitcoinCore(bitcoind);
}

async function startBitcoinCore(bitcoind: string): Promise<ChainNode> {
  const folder = temporaryFolder('bitcoin');
  const rpcPort = await freePort();
  const zmqUrl = `tcp://127.0.0.1:${await freePort()}`;
  const rpcPassword = randomBytes(12).toString('base64url');
  const settings = {
    ...coreSettings({ folder, rpcPort, rpcPassword }),
    rest: '1',
    zmqpubrawtx: zmqUrl,
    zmqpubhashblock: zmqUrl,
    disablewallet: '1',
  };
  return startChainNode({
    currency: 'BTC',
    kind: 'bitcoin-core',
    folder,
    rpcPort,
    rpcPassword,
    zmqUrl,
    command: { command: bitcoind, args: coreArguments(settings) },
  });
}

async function startBcoin(zmq: boolean): Promise<ChainNode> {
  const folder = temporaryFolder('bitcoin');
  const rpcPort = await freePort();
  const rpcPassword = randomBytes(12).toString('base64url');
  const zmqUrl = zmq ? `tcp://127.0.0.1:${await freePort()}` : undefined;
  const program = fileURLToPath(new URL('./bcoin-process.ts', import.meta.url));
  const env = {
    ...process.env,
    // Its native modules are not built: their install scripts are off.
    NODE_BACKEND: 'js',
    BCOIN_FOLDER: folder,
    BCOIN_PORT: String(rpcPort),
    BCOIN_PASSWORD: rpcPassword,
    ...(zmqUrl !== undefined && { BCOIN_ZMQ_URL: zmqUrl }),
  };
  const command = { command: process.execPath, args: [program], env };
  return startChainNode({
    currency: 'BTC',
    kind: 'bcoin',
    folder,
    rpcPort,
    rpcPassword,
    ...(zmqUrl !== undefined && { zmqUrl }),
    command,
  });
}
