import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** An Esplora server that shows the real chain with two forged blocks on top. */
export type LyingEsplora = {
  url: string;
  /** The invented blocks pay these scripts, so much each. */
  invent(payees: readonly { scriptHex: string; amount: bigint }[]): void;
  /** How many responses contained something invented. */
  lies(): number;
  stop(): Promise<void>;
};

type Answer = { status: number; body: Buffer };
type Invented = { hash: string; height: number; raw: Buffer; summary: Record<string, unknown> };

const summaryShape = z.looseObject({ id: z.string(), height: z.number(), bits: z.number() });
const HEADER_BYTES = 80;
const INVENTED_BLOCKS = 2;

/** Starts it. While the real server fails it responds from its cache, as an independent server would. */
export async function startLyingEsplora(honestUrl: string): Promise<LyingEsplora> {
  const known = new Map<string, Answer>();
  const invented = new Map<string, Invented>();
  const inventOn = rememberingInventor(invented);
  let payees: Payees = [];
  let lies = 0;
  const honest = async (path: string): Promise<Answer> => {
    const response = await fetch(new URL(path.slice(1), honestUrl));
    const answer = { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    if (answer.status === 200) known.set(path, answer);
    return answer.status >= 500 ? (known.get(path) ?? answer) : answer;
  };
  const respond = async (path: string): Promise<Answer> => {
    if (payees.length === 0) return honest(path);
    const top = await topOf(honest);
    const lie = lieFor(path, top === null ? [] : inventOn(top, payees), invented);
    if (lie === null) return honest(path);
    lies += 1;
    return { status: 200, body: Buffer.isBuffer(lie) ? lie : Buffer.from(await completed(lie, honest)) };
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/api/, '');
    respond(path).then(
      ({ status, body }) => response.writeHead(status).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    invent: (wanted) => void (payees = wanted),
    lies: () => lies,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Honest = (path: string) => Promise<Answer>;

/** The tip of the honest chain; null where that is not known yet. */
async function topOf(honest: Honest): Promise<Top | null> {
  const { status, body } = await honest('/blocks/tip/hash');
  if (status !== 200) return null;
  const summary = await honest(`/block/${body.toString()}`);
  return summary.status === 200 ? summaryShape.parse(JSON.parse(summary.body.toString())) : null;
}

/** A page of headers that begins in the forged blocks continues below them. */
type Lie = Buffer | { text: string } | { page: Record<string, unknown>[]; goesOnAt: number };

function lieFor(
  path: string,
  blocks: readonly Invented[],
  former: ReadonlyMap<string, Invented>,
): Lie | null {
  const newest = blocks.at(-1);
  const [, first, second, third] = path.split('/');
  if (!newest) return null;
  if (path === '/blocks/tip/hash') return { text: newest.hash };
  if (first === 'blocks' && Number(second) > newest.height - INVENTED_BLOCKS) {
    const page = blocks.filter(({ height }) => height <= Number(second)).toReversed();
    return { page: page.map(({ summary }) => summary), goesOnAt: newest.height - INVENTED_BLOCKS };
  }
  const named =
    first === 'block-height'
      ? blocks.find(({ height }) => String(height) === second)
      : former.get(second ?? '');
  if (!named) return null;
  if (first === 'block-height') return { text: named.hash };
  return third === 'raw' ? named.raw : { text: JSON.stringify(named.summary) };
}

async function completed(lie: Exclude<Lie, Buffer>, honest: Honest): Promise<string> {
  if ('text' in lie) return lie.text;
  const { status, body } = await honest(`/blocks/${lie.goesOnAt}`);
  const below = status === 200 ? (JSON.parse(body.toString()) as unknown[]) : [];
  return JSON.stringify([...lie.page, ...below]);
}

type Top = z.infer<typeof summaryShape>;
type Payees = readonly { scriptHex: string; amount: bigint }[];

/** Forges blocks once per tip and payees and keeps them: blocks that vanished would mislead no watcher. */
function rememberingInventor(invented: Map<string, Invented>): (top: Top, payees: Payees) => Invented[] {
  let last: { id: string; payees: Payees; blocks: Invented[] } | null = null;
  return (top, payees) => {
    if (last?.id !== top.id || last.payees !== payees)
      last = { id: top.id, payees, blocks: invent(top, payees) };
    for (const block of last.blocks) invented.set(block.hash, block);
    return last.blocks;
  };
}

/** Blocks above a tip that are right in all but their work. */
function invent({ id, height, bits }: Top, payees: Payees): Invented[] {
  const blocks: Invented[] = [];
  for (let number = 1; number <= INVENTED_BLOCKS; number += 1) {
    const transaction = transactionTo(payees, height + number);
    const prevHash = blocks.at(-1)?.hash ?? id;
    blocks.push(blockOf({ prevHash, height: height + number, bits, transaction }));
  }
  return blocks;
}

function transactionTo(payees: Payees, height: number): Buffer {
  const outputs = payees.map(({ scriptHex, amount }) => {
    const value = Buffer.alloc(8);
    value.writeBigUInt64LE(amount);
    const script = Buffer.from(scriptHex, 'hex');
    return Buffer.concat([value, Buffer.from([script.length]), script]);
  });
  const inputs = Buffer.from(`01${'00'.repeat(32)}ffffffff0403${uint24(height)}ffffffff`, 'hex');
  return Buffer.concat([
    Buffer.from('02000000', 'hex'),
    inputs,
    Buffer.from([outputs.length]),
    ...outputs,
    Buffer.alloc(4),
  ]);
}

function uint24(value: number): string {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes.toString('hex');
}

function blockOf(wanted: { prevHash: string; height: number; bits: number; transaction: Buffer }): Invented {
  const { prevHash, height, bits, transaction } = wanted;
  const header = Buffer.alloc(HEADER_BYTES);
  const merkleRoot = doubleSha256(transaction);
  const timestamp = Math.floor(Date.now() / 1000);
  header.writeInt32LE(0x20000000, 0);
  Buffer.from(prevHash, 'hex')
    .toReversed()
    .forEach((byte, index) => header.writeUInt8(byte, 4 + index));
  merkleRoot.copy(header, 36);
  header.writeUInt32LE(timestamp, 68);
  header.writeUInt32LE(bits, 72);
  const nonce = nonceWithoutWork(header);
  const hash = display(doubleSha256(header));
  const summary = {
    id: hash,
    height,
    version: 0x20000000,
    previousblockhash: prevHash,
    merkle_root: display(merkleRoot),
    timestamp,
    bits,
    nonce,
  };
  return { hash, height, raw: Buffer.concat([header, Buffer.from([1]), transaction]), summary };
}

/** On regtest every second hash has enough work: takes one that has not. */
function nonceWithoutWork(header: Buffer): number {
  for (let nonce = 0; ; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    if (doubleSha256(header).readUInt8(31) >= 0x80) return nonce;
  }
}

function doubleSha256(bytes: Buffer): Buffer {
  const once = createHash('sha256').update(bytes).digest();
  return createHash('sha256').update(once).digest();
}

function display(bytes: Buffer): string {
  return Buffer.from(bytes.toReversed()).toString('hex');
}
