import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBitcoinKnots } from '../../bitcoin-knots.mjs';
import { startBitcoinNode } from '../../src/nodes/bitcoin-node.ts';
import { startLitecoinNode } from '../../src/nodes/litecoin-node.ts';
import type { ChainNode } from '../../src/nodes/node-process.ts';

const hasRealBitcoin = findBitcoinKnots() !== undefined || Boolean(process.env['BITCOIND']);
const starts = [
  ['Litecoin Core', () => startLitecoinNode()],
  ['bcoin', () => startBitcoinNode()],
  ...(hasRealBitcoin ? [['Bitcoin Knots', () => startBitcoinNode({ real: true })] as const] : []),
] as const;

describe.each(starts)('a node of %s', (_, start) => {
  let node: ChainNode;
  beforeAll(async () => (node = await start()));
  afterAll(() => node.stop());

  test('has no password in the process list', () => {
    const commandLines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(commandLineOf);
    expect(commandLines.some((line) => line.includes(dirname(node.logFile)) || line.includes('bcoin'))).toBe(
      true,
    );
    expect(commandLines.filter((line) => line.includes(node.rpcPassword))).toEqual([]);
  });

  test('writes no log and no password to a file that other users can read', () => {
    const folder = dirname(node.logFile);
    expect(statSync(node.logFile).mode & 0o077).toBe(0);
    const open = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile() && (statSync(path).mode & 0o077) !== 0);
    expect(open.filter((path) => readFileSync(path, 'utf8').includes(node.rpcPassword))).toEqual([]);
  });
});

/** Empty if the process has ended meanwhile. */
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
