import { randomBase64 } from '@paywatch/runtime/security';

const SECRET_BYTES = 32;

/** Generates the secret that the requests to an endpoint are signed with. */
export function newSigningSecret(): string {
  return `whsec_${randomBase64(SECRET_BYTES)}`;
}
