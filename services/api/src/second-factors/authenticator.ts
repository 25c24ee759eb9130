import { randomBase32, sha256 } from '@paywatch/runtime/security';
import { Secret, TOTP } from 'otpauth';

/* RFC 6238 as every authenticator app computes it: SHA-1, six digits, 30 seconds. */
const ISSUER = 'Paywatch';
const PERIOD_SECONDS = 30;
/** The length of a SHA-1 hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the present one, for clocks that differ. */
const DRIFT_STEPS = 1;

const RECOVERY_CODES = 10;
/** 120 bits: nobody can try them all, so a fast hash is enough. */
const RECOVERY_BYTES = 15;

/** A new shared key in base32. */
export function newFactorSecret(): string {
  return randomBase32(SECRET_BYTES);
}

/** The address that an app reads from a QR code. `host` names the deployment, so that two of them differ in the app. */
export function otpauthUrl(secret: string, account: { email: string; host: string }): string {
  const issuer = `${ISSUER} ${account.host}`;
  return authenticator(secret, { issuer, label: account.email }).toString();
}

/** Whether a code looks like one of an app. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(plainCode(code));
}

/** The time step that a code belongs to; null if it is wrong. Pure. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!isAppCode(code)) return null;
  const token = plainCode(code);
  const drift = authenticator(secret).validate({ token, timestamp: nowMs, window: DRIFT_STEPS });
  return drift === null ? null : Math.floor(nowMs / (PERIOD_SECONDS * 1000)) + drift;
}

function authenticator(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_SECONDS });
}

/** Recovery codes as their owner sees them, and the hashes to store. */
export function newRecoveryCodes(): { codes: string[]; codeHashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => inGroups(randomBase32(RECOVERY_BYTES)));
  return { codes, codeHashes: codes.map(recoveryCodeHash) };
}

function inGroups(text: string): string {
  return text.match(/.{4}/g)?.join('-') ?? text;
}

/** The SHA-256 of a recovery code, however it is written. */
export function recoveryCodeHash(code: string): Buffer {
  return sha256(plainCode(code));
}

function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase();
}
