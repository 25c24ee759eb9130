import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { headerRulesOf } from '@paywatch/domain/chain';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainSource, SourceHeader } from '../../src/sources/chain-source.ts';
import { HeaderChain } from '../../src/sources/header-chain.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { fundedPayer } from '../support/harness.ts';

let node: ChainNode;

beforeAll(async () => {
  node = await startLitecoinNode({ mweb: false });
  await fundedPayer(node);
});
afterAll(() => node.stop());

/** Bytes of buffers that are still referenced. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

function received(header: SourceHeader): SourceHeader {
  const buffer = new Uint8Array(1_000_000);
  buffer.set(header.raw);
  return { ...header, raw: buffer.subarray(0, header.raw.length) };
}

/** The node's headers, each of them a part of a large buffer, as it was received. */
function receivedHeaders(): ChainSource {
  const source = createNodeSource(node.url);
  return {
    ...source,
    getHeader: async (hash) => received(await source.getHeader(hash)),
    getHeaders: async (place, count) => (await source.getHeaders?.(place, count))?.map(received) ?? [],
  };
}

test('validated headers do not keep the buffers in memory that they were received in', async () => {
  const source = receivedHeaders();
  const tip = await source.getTip();
  const rules = headerRulesOf('LTC', await source.getHashAt(0));
  const headers = new HeaderChain(rules!, () => Promise.resolve([]));
  const before = heldBytes();
  await headers.accept(source, tip);
  expect(tip.height - headers.lowestHeight).toBeGreaterThan(100);
  // Node frees buffers in the background after a garbage collection.
  await waitUntil(() => heldBytes() - before < 10_000_000, { what: 'the buffers to be freed', everyMs: 100 });
});
