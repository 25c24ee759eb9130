export {
  type GuardedResolver,
  NO_PUBLIC_ADDRESS,
  RefusedAddressError,
  createGuardedResolver,
} from './guarded-resolver.ts';
export { hashPassword, matchesPasswordHash } from './password-hash.ts';
export {
  randomBase32,
  randomBase58,
  randomBase64,
  randomFraction,
  randomToken,
  randomUuid,
  secureRandomBytes,
} from './random.ts';
export {
  type SealedPlace,
  type Sealer,
  SealingError,
  type SealingKey,
  createSealer,
  deriveKey,
  parseSealingKeys,
} from './sealing.ts';
export { equalSecrets, sha256 } from './secret-hash.ts';
