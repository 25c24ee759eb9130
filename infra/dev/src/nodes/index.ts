export { startBitcoinNode } from './bitcoin-node.ts';
export { startLitecoinNode } from './litecoin-node.ts';
export { type MwebWallet } from './mweb-wallet.ts';
export { type ChainNode } from './node-process.ts';
export { type NodeRpc, NodeRpcError, type NodeTransaction } from './node-rpc.ts';
