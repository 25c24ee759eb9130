import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeRpc, type NodeKind, type NodeRpc } from './node-rpc.ts';
import type { Currency } from '../wallet/regtest-address.ts';
import { logTail, startServer, type ServerCommand } from '../servers/server-process.ts';
import { removeFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A regtest node that runs as our child. */
export type ChainNode = {
  currency: Currency;
  kind: NodeKind;
  /** Without credentials. */
  rpcUrl: string;
  rpcUser: string;
  rpcPassword: string;
  /** `rpcUrl` with user and password in it, as BTC_NODE_URL and LTC_NODE_URL want it. */
  url: string;
  rpc: NodeRpc;
  /** Litecoin: whether MWEB activates at block 432. */
  mweb: boolean;
  /** Where it publishes raw transactions and block hashes, if it does. */
  zmqUrl: string | undefined;
  logFile: string;
  /** Ends the node and removes its chain. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would; the chain stays for `restart`. */
  kill(): Promise<void>;
  /** Ends it in order if it still runs, and starts it with the same chain on the same port. */
  restart(): Promise<void>;
};

/** What differs between the three programs. */
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

/** The user of every node's RPC. */
const rpcUser = 'paywatch';

/**
 * Writes user and password of a node's RPC into a file that our user alone may read, and returns its path, for `-conf`. As arguments every
 * user of this machine could read them in the list of processes.
 */
function writeRpcLogin(folder: string, rpcPassword: string): string {
  const file = join(folder, 'rpc.conf');
  writeFileSync(file, `rpcuser=${rpcUser}\nrpcpassword=${rpcPassword}\n`, { mode: 0o600 });
  return file;
}

/** Settings that every Core node of the stack shares: regtest, no peers, RPC for our user alone. */
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

/** Command-line arguments of a Core node: `-name=value`. */
export function coreArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => `-${name}=${value}`);
}

/** Starts a node program and waits until its RPC answers. Throws with the end of its log when it does not. */
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
      // Nobody will read the chain again: an orderly end would only cost time.
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
    throw new Error(`${program.currency} node ended at its start:\n${logTail(server.logFile)}`);
  return server;
}

/**
 * Core writes blocks to disk once an hour, so a chain minutes old would be gone after a crash, as no real one is. Counting the
 * unspent outputs makes it write now.
 */
async function flushChain(rpc: NodeRpc): Promise<void> {
  if (rpc.kind !== 'bcoin') await rpc.call('gettxoutsetinfo');
}
