/** Types of the parts of bcoin 1.0.2 that bcoin-process.ts uses; the package has none. */

declare module 'bcoin/lib/protocol/networks.js' {
  type AddressPrefix = {
    pubkeyhash: number;
    scripthash: number;
    witnesspubkeyhash: number;
    witnessscripthash: number;
    bech32: string;
  };
  const networks: { regtest: { addressPrefix: AddressPrefix } };
  export default networks;
}

declare module 'bcoin/lib/primitives/tx.js' {
  export type Outpoint = { hash: string; index: number };
  export default class TX {
    static fromRaw(raw: Buffer): TX;
    inputs: { prevout: Outpoint; sequence: number }[];
    outputs: unknown[];
    isCoinbase(): boolean;
    hash(encoding: 'hex'): string;
    toRaw(): Buffer;
    txid(): string;
    getVirtualSize(): number;
  }
}

declare module 'bcoin/lib/primitives/address.js' {
  export type Address = { getType(): string };
  const parser: { fromString(address: string, network: unknown): Address };
  export default parser;
}

declare module 'bcoin/lib/node/fullnode.js' {
  import type { Address } from 'bcoin/lib/primitives/address.js';
  import type TX from 'bcoin/lib/primitives/tx.js';

  export type MempoolEntry = { tx: TX; fee: number; size: number };
  export type Block = { txs: TX[] };
  export type ChainEntry = { hash: string; height: number; rhash(): string };
  export type BlockTemplateItem = { tx: TX; fee: number };
  export type BlockTemplate = { items: BlockTemplateItem[]; fees: number; refresh(): void };
  export type MiningJob = { attempt: BlockTemplate };

  export default class FullNode {
    constructor(options: Record<string, unknown>);
    network: unknown;
    chain: {
      tip: ChainEntry;
      height: number;
      locker: { lock(): Promise<() => void> };
      getEntry(hash: string): Promise<ChainEntry | null>;
      isMainChain(entry: ChainEntry): Promise<boolean>;
      disconnect(entry: ChainEntry): Promise<void>;
      getDeploymentState(): Promise<object>;
      setDeploymentState(state: object): void;
      setInvalid(hash: string): void;
      add(block: Block): Promise<ChainEntry | null>;
      on(event: 'connect' | 'disconnect', listener: (entry: ChainEntry, block: Block) => Promise<void>): void;
    };
    mempool: {
      addTX(tx: TX): Promise<string[] | null>;
      insertTX(tx: TX): Promise<string[] | null>;
      getEntry(hash: string): MempoolEntry | undefined;
      getSpent(hash: string, index: number): MempoolEntry | undefined;
      evictEntry(entry: MempoolEntry): void;
      removeOrphan(hash: string): boolean;
      on(event: 'tx', listener: (tx: TX) => void): void;
    };
    miner: {
      createJob(tip: null, address: Address): Promise<MiningJob>;
      cpu: { mineAsync(job: MiningJob): Promise<Block> };
    };
    rpc: { calls: Record<string, (args: unknown[]) => Promise<unknown>> };
    on(event: 'error', listener: (error: Error) => void): void;
    ensure(): Promise<void>;
    open(): Promise<void>;
    close(): Promise<void>;
  }
}
