import { parseBlock } from '@paywatch/domain/chain';
import { waitUntil } from '@paywatch/dev/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLyingEsplora, type LyingEsplora } from './lying-esplora.ts';

const TIP = 'ab'.repeat(32);
const SCRIPT = `0014${'cd'.repeat(20)}`;
let honest: Server;
let liar: LyingEsplora;
let isDown = false;

beforeAll(async () => {
  const answers: Record<string, string> = {
    '/blocks/tip/hash': TIP,
    [`/block/${TIP}`]: JSON.stringify({ id: TIP, height: 5, bits: 0x207fffff }),
    '/blocks/5': JSON.stringify([{ id: TIP }]),
  };
  honest = createServer(({ url = '' }, response) => {
    const body = answers[url.replace('/api', '')];
    response.writeHead(isDown ? 500 : body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => honest.listen(0, '127.0.0.1', resolve));
  liar = await startLyingEsplora(`http://127.0.0.1:${(honest.address() as AddressInfo).port}/api/`);
});
afterAll(async () => {
  await liar.stop();
  honest.close();
});

const ask = (path: string): Promise<Response> => fetch(new URL(path, liar.url));

test('shows what the honest server shows until its lies are switched on', async () => {
  expect(await (await ask('blocks/tip/hash')).text()).toBe(TIP);
  expect((await ask('block/unknown')).status).toBe(404);
  expect(liar.lies()).toBe(0);
});

test('puts two blocks on top that are right in all but their work, also while the honest server is down', async () => {
  liar.invent([{ scriptHex: SCRIPT, amount: 1234n }]);
  expect((await ask('blocks/7')).status).toBe(200);
  isDown = true;
  const page = (await (await ask('blocks/7')).json()) as { id: string; previousblockhash?: string }[];
  expect(page).toHaveLength(3);
  expect(page[0]?.previousblockhash).toBe(page[1]?.id);
  expect(page[1]?.previousblockhash).toBe(TIP);
  const raw = new Uint8Array(await (await ask(`block/${page[1]?.id}/raw`)).arrayBuffer());
  const block = parseBlock(raw);
  expect(block).toMatchObject({ hash: page[1]?.id, prevHash: TIP });
  const [paid] = block.transactions[0]?.outputs ?? [];
  expect([paid?.amount, Buffer.from(paid?.script ?? []).toString('hex')]).toEqual([1234n, SCRIPT]);
  expect(liar.lies()).toBeGreaterThan(1);
});

test('still has a block that it invented for others, or a second ago', async () => {
  const tip = async () => (await ask('blocks/tip/hash')).text();
  liar.invent([{ scriptHex: SCRIPT, amount: 1n }]);
  const shown = await tip();
  const thisSecond = Math.floor(Date.now() / 1000);
  await waitUntil(() => Promise.resolve(Math.floor(Date.now() / 1000) > thisSecond), {
    what: 'the next second',
  });
  expect(await tip()).toBe(shown);
  liar.invent([{ scriptHex: SCRIPT, amount: 2n }]);
  expect(await tip()).not.toBe(shown);
  expect(await (await ask(`block/${shown}`)).json()).toMatchObject({ id: shown });
});
