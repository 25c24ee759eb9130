export {
  type GuardedResolver,
  NO_PUBLIC_ADDRESS,
  RefusedAddressError,
  createGuardedResolver,
} from './guarded-lookup.ts';
export { hashPassword, matchesPasswordHash } from './password-hash.ts';
export {
  equalSecrets,
  randomBase58,
  randomBase64,
  randomFraction,
  randomToken,
  randomUuid,
  sha256,
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
