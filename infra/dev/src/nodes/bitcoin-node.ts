import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { findBitcoinKnots } from '../../bitcoin-knots.mjs';
import { freePort } from '../servers/free-port.ts';
import { coreArguments, coreSettings, startChainNode, type ChainNode } from './node-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Options for starting a Bitcoin node. */
export type BitcoinNodeOptions = {
  zmq?: boolean;
  /** Uses Bitcoin Knots (a fork of Core) if bootstrap.mjs was able to download it. */
  real?: boolean;
};

/**
 * Starts a Bitcoin node on regtest with an empty chain: the Bitcoin Core of `BITCOIND`; otherwise, with `real`, a downloaded Bitcoin
 * Knots; otherwise bcoin from npm. In bcoin segwit activates at block 432, and `createPayer().fund()` mines the chain up to there.
 * Core always publishes by ZeroMQ; bcoin does with `zmq`, through our publisher.
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
    // Its native modules are not built, because install scripts are disabled.
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
