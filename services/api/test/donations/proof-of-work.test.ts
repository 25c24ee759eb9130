import { expect, test } from 'vitest';
import { checkProof, newChallenge, type ProofRules } from '../../src/donations/proof-of-work.ts';
import { donorNetwork } from '../../src/donations/donor-network.ts';
import { solve, zeroBits } from '../support/donations.ts';

const KEY = Buffer.alloc(32, 1);
const NOW_MS = 1_795_000_000_000;

const rules: ProofRules = { donationProofKey: KEY, difficulty: 8, clock: { nowMs: () => NOW_MS } };

test('a solution is valid until its challenge expires, ten minutes after it was issued', () => {
  const { challenge, expiresAtMs } = newChallenge('token', rules);
  expect(expiresAtMs).toBe(NOW_MS + 600_000);
  const proof = solve(challenge, 8);
  expect(checkProof(proof, 'token', rules)).toMatchObject({ expiresAtMs });
  expect(checkProof(proof, 'token', { ...rules, clock: { nowMs: () => expiresAtMs - 1 } })).not.toBeNull();
  expect(checkProof(proof, 'token', { ...rules, clock: { nowMs: () => expiresAtMs } })).toBeNull();
});

test("a solution is valid only for its link, the deployment's key and the required difficulty", () => {
  const proof = solve(newChallenge('token', rules).challenge, 8);
  expect(checkProof(proof, 'another', rules)).toBeNull();
  expect(checkProof(proof, 'token', { ...rules, donationProofKey: Buffer.alloc(32, 2) })).toBeNull();
  expect(checkProof(proof, 'token', { ...rules, difficulty: 32 })).toBeNull();
  expect(checkProof(null, 'token', rules)).toBeNull();
});

test('no two challenges are the same, and each solution has the id of its challenge', () => {
  const proofs = Array.from({ length: 20 }, () => solve(newChallenge('token', rules).challenge, 1));
  const ids = proofs.map((proof) =>
    checkProof(proof, 'token', { ...rules, difficulty: 1 })?.id.toString('hex'),
  );
  expect(new Set(ids).size).toBe(20);
});

test('the text to be hashed fits one block of SHA-256', () => {
  const { challenge } = newChallenge('token', rules);
  expect(`${challenge}.${'9'.repeat(16)}`.length).toBeLessThanOrEqual(55);
});

test('a solution proves how many bits above the minimum difficulty it has', () => {
  const proof = solve(newChallenge('token', rules).challenge, 12);
  const { extraBits = -1 } = checkProof(proof, 'token', rules) ?? {};
  expect(extraBits).toBe(zeroBits(proof) - 8);
});

test("a donor's network is hashed by IPv4 address or IPv6 /56 together with its /48, and needs the key", () => {
  const site = (network: string) => hash(network).slice(0, 16);
  expect(site('2001:db8:5:6000::/64')).toBe(site('2001:db8:5:6100::/64'));
  expect(site('2001:db8:5:6000::/64')).not.toBe(site('2001:db8:6:6000::/64'));
  expect(hash('2001:db8:5:6000::/64')).toBe(hash('2001:db8:5:60ff::/64'));
  expect(hash('2001:db8:5:6000::/64')).not.toBe(hash('2001:db8:5:6100::/64'));
  expect(hash('93.1.2.3')).not.toBe(hash('93.1.2.4'));
  expect(hash('93.1.2.3')).not.toBe(hash('93.1.2.3', Buffer.alloc(32, 2)));
});

function hash(network: string, key = KEY): string {
  return donorNetwork(network, key).toString('hex');
}
