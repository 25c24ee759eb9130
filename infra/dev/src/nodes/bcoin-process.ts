/**
 * The program that bitcoin-node.ts runs without Bitcoin Core: bcoin's full node on regtest, closed on SIGTERM.
 *
 * Adds what tests need of Core and bcoin 1.0.2 lacks: sendrawtransaction reports why it rejects and supports replacement (BIP 125),
 * a reorg returns transactions to the mempool, and generateblock exists.
 *
 * Environment: BCOIN_FOLDER, BCOIN_PORT, BCOIN_PASSWORD; BCOIN_ZMQ_URL to publish by ZeroMQ.
 */
import './bcoin-regtest-prefixes.ts';
import { hex } from '@scure/base';
import FullNode, { type Block, type MempoolEntry } from 'bcoin/lib/node/fullnode.js';
import Address from 'bcoin/lib/primitives/address.js';
import TX from 'bcoin/lib/primitives/tx.js';
import { z } from 'zod';
import { publishNews } from './bcoin-publisher.ts';

const environment = z
  .object({
    BCOIN_FOLDER: z.string(),
    BCOIN_PORT: z.coerce.number(),
    BCOIN_PASSWORD: z.string(),
    BCOIN_ZMQ_URL: z.string().optional(),
  })
  .parse(process.env);

const node = new FullNode({
  network: 'regtest',
  prefix: environment.BCOIN_FOLDER,
  memory: false,
  httpHost: '127.0.0.1',
  httpPort: environment.BCOIN_PORT,
  apiKey: environment.BCOIN_PASSWORD,
  listen: false,
  persistentMempool: true,
  replaceByFee: true,
  rejectAbsurdFees: false,
  workers: false,
  logLevel: 'warning',
  logFile: false,
  logConsole: true,
});
node.on('error', (error) => console.error(error));
node.chain.on('disconnect', returnToMempool);
node.rpc.calls['sendrawtransaction'] = sendRawTransaction;
node.rpc.calls['generateblock'] = generateBlock;
node.rpc.calls['invalidateblock'] = invalidateBlock;
await node.ensure();
await node.open();
if (environment.BCOIN_ZMQ_URL !== undefined) await publishNews(node, environment.BCOIN_ZMQ_URL);
process.once('SIGTERM', () => void close());

async function close(): Promise<void> {
  await node.close();
  process.exit(0);
}

/** bcoin does this only while its mempool is not empty. The caller holds the lock of chain and mempool. */
async function returnToMempool(_entry: unknown, block: Block): Promise<void> {
  const disconnected = block.txs.filter((tx) => !tx.isCoinbase() && !node.mempool.getEntry(tx.hash('hex')));
  for (const tx of disconnected)
    await node.mempool.insertTX(tx).catch((error: unknown) => console.error(error));
}

async function sendRawTransaction(args: unknown[]): Promise<string> {
  const [rawHex] = z.tuple([z.string()]).rest(z.unknown()).parse(args);
  const tx = TX.fromRaw(Buffer.from(rawHex, 'hex'));
  if (node.mempool.getEntry(tx.hash('hex')) !== undefined) return tx.txid();
  const replaced = evictConflicts(tx);
  try {
    await addToMempool(tx);
    requireHigherFee(tx, replaced);
  } catch (error) {
    await restore(tx, replaced);
    throw rejection(error);
  }
  return tx.txid();
}

/** Removes the conflicting transactions and their descendants from the mempool and returns them, parents first. */
function evictConflicts(tx: TX): MempoolEntry[] {
  const direct = spendersOf(tx.inputs.map((input) => input.prevout));
  if (direct.some((entry) => !signalsReplacement(entry.tx))) throw new RpcError(-26, 'txn-mempool-conflict');
  const all = new Set(direct);
  for (const entry of all) {
    const hash = entry.tx.hash('hex');
    for (const child of spendersOf(entry.tx.outputs.map((_, index) => ({ hash, index })))) all.add(child);
  }
  for (const entry of direct) node.mempool.evictEntry(entry);
  return [...all];
}

/** Whether it signals BIP 125. bcoin's own isRBF() returns false for every version 2 transaction. */
function signalsReplacement(tx: TX): boolean {
  return tx.inputs.some((input) => input.sequence < 0xfffffffe);
}

function spendersOf(outpoints: { hash: string; index: number }[]): MempoolEntry[] {
  const entries = outpoints.map(({ hash, index }) => node.mempool.getSpent(hash, index));
  return [...new Set(entries.filter((entry) => entry !== undefined))];
}

async function addToMempool(tx: TX): Promise<void> {
  const missing = await node.mempool.addTX(tx);
  if (missing === null) return;
  node.mempool.removeOrphan(tx.hash('hex'));
  throw new RpcError(-25, 'bad-txns-inputs-missingorspent');
}

/** BIP 125, rules 3 and 4: the fee must be that of the replaced ones plus one satoshi per own virtual byte. */
function requireHigherFee(tx: TX, replaced: MempoolEntry[]): void {
  if (replaced.length === 0) return;
  const paid = node.mempool.getEntry(tx.hash('hex'))?.fee ?? 0;
  const due = replaced.reduce((sum, entry) => sum + entry.fee, tx.getVirtualSize());
  if (paid < due) throw new RpcError(-26, `insufficient fee, rejecting replacement: ${paid} < ${due}`);
}

async function restore(tx: TX, replaced: MempoolEntry[]): Promise<void> {
  const entry = node.mempool.getEntry(tx.hash('hex'));
  if (entry !== undefined) node.mempool.evictEntry(entry);
  for (const { tx: original } of replaced) await node.mempool.addTX(original);
}

/** Core's generateblock: mines a block with exactly these mempool transactions, parents before children. */
async function generateBlock(args: unknown[]): Promise<{ hash: string }> {
  const [address, txids] = z.tuple([z.string(), z.array(z.string())]).parse(args);
  const job = await node.miner.createJob(null, Address.fromString(address, node.network));
  job.attempt.items = job.attempt.items.filter((item) => txids.includes(item.tx.txid()));
  if (job.attempt.items.length < txids.length) throw new RpcError(-5, 'Transaction not in mempool.');
  job.attempt.fees = job.attempt.items.reduce((sum, item) => sum + item.fee, 0);
  job.attempt.refresh();
  const entry = await node.chain.add(await node.miner.cpu.mineAsync(job));
  if (entry === null) throw new RpcError(-25, 'block is not on the best chain');
  return { hash: entry.rhash() };
}

/** Core's invalidateblock: blocks stay readable and transactions return to the mempool. bcoin's deletes both. */
async function invalidateBlock(args: unknown[]): Promise<null> {
  const [lowest] = z.tuple([z.string()]).parse(args);
  const entry = await node.chain.getEntry(hex.encode(hex.decode(lowest).toReversed()));
  if (entry === null || !(await node.chain.isMainChain(entry))) throw new RpcError(-5, 'Block not found');
  const unlock = await node.chain.locker.lock();
  try {
    while (node.chain.height >= entry.height) await node.chain.disconnect(node.chain.tip);
    node.chain.setDeploymentState(await node.chain.getDeploymentState());
    node.chain.setInvalid(entry.hash);
  } finally {
    unlock();
  }
  return null;
}

/** The error type that bcoin's server returns to the caller; others count as internal errors. */
class RpcError extends Error {
  type = 'RPCError';
  code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function rejection(error: unknown): Error {
  if (error instanceof RpcError) return error;
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : String(error);
  return new RpcError(-26, reason);
}
