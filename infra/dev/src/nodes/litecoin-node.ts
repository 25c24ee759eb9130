import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { freePort } from '../servers/free-port.ts';
import { coreArguments, coreSettings, startChainNode, type ChainNode } from './node-process.ts';
import { findProgram } from '../servers/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** How a Litecoin node is started. */
export type LitecoinNodeOptions = { mweb?: boolean; rest?: boolean };

/**
 * Starts Litecoin Core on regtest with an empty chain: the one that `LITECOIND` names, else Debian's.
 * With `mweb` (the default) MWEB activates at block 432, which is refused unless a peg-in is in the mempool then:
 * `createPayer().fund()` sees to that. With `mweb: false` it never activates. With `rest` (the default) it serves blocks over REST.
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
    // Off by default in Litecoin Core, while miners may well run with it on.
    mempoolreplacement: '1',
    // A new wallet fills its pool of keys first: a second for the usual thousand.
    keypool: '5',
    // From level 3 on, the check at the start takes sound MWEB blocks that came with a reorg for corrupted.
    checklevel: '2',
    // On regtest alone it checks itself at every step, and ends itself over extension coins that a reorg took back.
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

/** /usr/bin/litecoind of the Debian package is a script that asks for a configuration; the program lies elsewhere. */
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
