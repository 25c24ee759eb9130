import {
  deriveReceiveAddresses,
  findAddress,
  type AddressMatch,
  type ReceiveKey,
} from '@paywatch/domain/keys';
import { parentPort } from 'node:worker_threads';
import type { AddressQuestion } from './address-search.ts';

/** Whether the script is one of the wallet's receive addresses; `nearby` says where else under its key it is, if that is near. */
export type FoundAddress = { isOwn: boolean; nearby: AddressMatch | null };

/** Merchants show an address that was never given out, too: the next ones that their wallet offers. */
const AHEAD = 20;
/** Of a wallet that begins at a high index, so many below it are looked at. */
const BEHIND = 200;

/** Merchants try again, and a derivation costs a millisecond or more: the answers about the last questions are kept. */
const KEPT_ANSWERS = 1000;
const answers = new Map<string, FoundAddress>();

parentPort?.on('message', (question: AddressQuestion) => parentPort?.postMessage(answer(question), []));

function answer(question: AddressQuestion): FoundAddress {
  const name = JSON.stringify({ ...question, script: Buffer.from(question.script).toString('hex') });
  const known = answers.get(name);
  if (known !== undefined) return known;
  const found = search(question);
  answers.set(name, found);
  const [oldest] = answers.keys();
  if (answers.size > KEPT_ANSWERS && oldest !== undefined) answers.delete(oldest);
  return found;
}

function search({ key, script, nextIndex }: AddressQuestion): FoundAddress {
  const isOwn =
    isAmong(key, script, Math.max(1, nextIndex - BEHIND), nextIndex + AHEAD) ||
    isAmong(key, script, 1, AHEAD);
  return { isOwn, nearby: isOwn ? null : findAddress(key, script, 0, AHEAD + 1) };
}

function isAmong(key: ReceiveKey, script: Uint8Array, first: number, last: number): boolean {
  const addresses = deriveReceiveAddresses(key, first, last - first + 1);
  return addresses.some((address) => Buffer.compare(address.script, script) === 0);
}
