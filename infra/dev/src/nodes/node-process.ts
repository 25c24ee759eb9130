import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeRpc, type NodeKind, type NodeRpc } from './node-rpc.ts';
import type { Currency } from '../wallet/regtest-address.ts';
import { logTail, startServer, type ServerCommand } from '../servers/server-process.ts';
import { removeFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A regtest node that runs as a child process. */
export type ChainNode = {
  currency: Currency;
  kind: NodeKind;
  /** Without credentials. */
  rpcUrl: string;
  rpcUser: string;
  rpcPassword: string;
  /** `rpcUrl` with user and password, as for BTC_NODE_URL and LTC_NODE_URL. */
  url: string;
  rpc: NodeRpc;
  /** For Litecoin: whether MWEB activates at block 432. */
  mweb: boolean;
  /** The ZeroMQ address of raw transactions and block hashes, if it publishes any. */
  zmqUrl: string | undefined;
  logFile: string;
  /** Stops the node and deletes its chain. */
  stop(): Promise<void>;
  /** Kills the node, as in a crash; keeps the chain for `restart`. */
  kill(): Promise<void>;
  /** Stops the node if it runs, and starts it with the same chain on the same port. */
  restart(): Promise<void>;
};

/** The differences between the three programs. */
export type ChainNodeProgram = {
  currency: Currency;
  kind: NodeKind;
  folder: string;
  rpcPort: number;
  rpcPassword: string;
  mweb?: boolean;
  zmqUrl?: string;
  command: Pick<ServerCommand, 'command' | 'args' | 'env' | 'cwd'>;
};

/** The RPC user of every node. */
const rpcUser = 'paywatch';

/**
 * Writes the RPC user and password to a file that only our user can read, and returns its path for `-conf`. Every user of the
 * machine can read command-line arguments in the process list.
 */
function writeRpcLogin(folder: string, rpcPassword: string): string {
  const file = join(folder, 'rpc.conf');
  writeFileSync(file, `rpcuser=${rpcUser}\nrpcpassword=${rpcPassword}\n`, { mode: 0o600 });
  return file;
}

/** Settings of every Core node: regtest, no peers, RPC with a password. */
export function coreSettings({
  folder,
  rpcPort,
  rpcPassword,
}: Pick<ChainNodeProgram, 'folder' | 'rpcPort' | 'rpcPassword'>): Record<string, string> {
  return {
    regtest: '1',
    datadir: folder,
    server: '1',
    listen: '0',
    rpcport: String(rpcPort),
    conf: writeRpcLogin(folder, rpcPassword),
    printtoconsole: '1',
  };
}

/** Formats the command-line arguments of a Core node: `-name=value`. */
export function coreArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => `-${name}=${value}`);
}

/** Starts a node and waits until its RPC responds. Throws with the end of its log if it fails. */
export async function startChainNode(program: ChainNodeProgram): Promise<ChainNode> {
  const { rpcPort, rpcPassword, kind } = program;
  const url = `http://${rpcUser}:${rpcPassword}@127.0.0.1:${rpcPort}`;
  const rpc = createNodeRpc({ url, kind });
  let server = await launch(program, rpc);
  return {
    currency: program.currency,
    kind,
    rpcUrl: `http://127.0.0.1:${rpcPort}`,
    rpcUser,
    rpcPassword,
    url,
    rpc,
    mweb: program.mweb ?? false,
    zmqUrl: program.zmqUrl,
    logFile: server.logFile,
    stop: async () => {
      // The chain is deleted, so an orderly shutdown would only take time.
      await server.kill();
      removeFolder(program.folder);
    },
    kill: async () => {
      if (!server.hasExited()) await flushChain(rpc);
      await server.kill();
    },
    restart: async () => {
      await server.stop();
      server = await launch(program, rpc);
    },
  };
}

async function launch(program: ChainNodeProgram, rpc: NodeRpc) {
  const name = `${program.currency} node`;
  const server = await startServer({ name, logFile: join(program.folder, 'node.log'), ...program.command });
  const what = `the ${program.currency} node (log: ${server.logFile})`;
  await waitUntil(async () => server.hasExited() || (await rpc.getBlockCount()) >= 0, { what });
  if (server.hasExited())
    throw new Error(`${program.currency} node exited during startup:\n${logTail(server.logFile)}`);
  return server;
}

/**
 * Core writes its state to disk once an hour, so a crash would lose the whole young chain. `gettxoutsetinfo` makes it write now.
 */
async function flushChain(rpc: NodeRpc): Promise<void> {
  if (rpc.kind !== 'bcoin') await rpc.call('gettxoutsetinfo');
}
