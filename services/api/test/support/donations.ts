import type { DonationLinkInfo } from '@paywatch/domain/contract';
import { createHash } from 'node:crypto';
import type { TestAccount, TestApi } from './api.ts';

/** The current state of the donation link. */
export async function readLink(api: TestApi, { donateToken }: TestAccount): Promise<DonationLinkInfo> {
  const { body } = await api.call('get', `/v1/public/donate/${donateToken}`).expect(200);
  return body;
}

/** A solution of the challenge that the link names now; undefined where it names none. */
export async function solvedProof(api: TestApi, account: TestAccount): Promise<string | undefined> {
  const { proof_of_work: proof } = await readLink(api, account);
  return proof && solve(proof.challenge, proof.difficulty);
}

/** As its description in the contract says: the first number whose text begins with so many zero bits. */
export function solve(challenge: string, difficulty: number): string {
  for (let number = 0; ; number += 1) {
    const text = `${challenge}.${number}`;
    if (zeroBits(text) >= difficulty) return text;
  }
}

/** Zero bits at the start of its SHA-256, of the first 32. */
export function zeroBits(text: string): number {
  return Math.clz32(Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16));
}
