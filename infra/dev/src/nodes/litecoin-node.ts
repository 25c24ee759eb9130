import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { freePort } from '../servers/free-port.ts';
import { coreArguments, coreSettings, startChainNode, type ChainNode } from './node-process.ts';
import { findProgram } from '../servers/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Options for starting a Litecoin node. */
export type LitecoinNodeOptions = { mweb?: boolean; rest?: boolean };

/**
 * Starts Litecoin Core on regtest with an empty chain: that of `LITECOIND`, otherwise Debian's. With `mweb` (default) MWEB activates
 * at block 432, which is rejected unless the mempool contains a peg-in; `createPayer().fund()` adds one. With `mweb: false` MWEB
 * never activates. With `rest` (default) the node serves blocks by REST.
 */
export async function startLitecoinNode({
  mweb = true,
  rest = true,
}: LitecoinNodeOptions = {}): Promise<ChainNode> {
  const folder = temporaryFolder('litecoin');
  const rpcPort = await freePort();
  const rpcPassword = randomBytes(12).toString('base64url');
  const settings = {
    ...coreSettings({ folder, rpcPort, rpcPassword }),
    fallbackfee: '0.0001',
    // Replacement (BIP 125) is off by default in Litecoin Core, but miners may enable it.
    mempoolreplacement: '1',
    // A new wallet generates its key pool first; the default of 1,000 keys takes a second.
    keypool: '5',
    // From level 3 on, the check at startup reports valid MWEB blocks as corrupted after a reorg.
    checklevel: '2',
    // These consistency checks are on only on regtest, and abort the node when a reorg disconnects MWEB coins.
    checkmempool: '0',
    rest: rest ? '1' : '0',
    ...(mweb ? {} : { vbparams: 'mweb:0:0:100000000:200000000' }),
  };
  const command = { command: findLitecoind(), args: coreArguments(settings) };
  return startChainNode({
    currency: 'LTC',
    kind: 'litecoin-core',
    folder,
    rpcPort,
    rpcPassword,
    mweb,
    command,
  });
}

/** In Debian's package /usr/bin/litecoind is a script that requires a configuration; the program is in another folder. */
const debianLitecoind = '/usr/lib/litecoin/litecoind';

function findLitecoind(): string {
  const given = process.env['LITECOIND'];
  if (given !== undefined && given !== '') return given;
  if (isPresent(debianLitecoind)) return debianLitecoind;
  const found = findProgram('litecoind');
  if (found === undefined)
    throw new Error('litecoind is not installed: apt-get install litecoind, or set LITECOIND');
  return found;
}

function isPresent(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
