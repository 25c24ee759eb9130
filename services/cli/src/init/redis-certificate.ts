import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';
import { secureRandomBytes } from '@paywatch/runtime/security';
import { webcrypto } from 'node:crypto';

/** The certificate of Redis, its private key and the authority that issued it, in PEM. */
export type RedisCertificate = { authority: string; certificate: string; privateKey: string };

const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const TEN_YEARS_MS = 3650 * 86_400_000;
const HOUR_MS = 3_600_000;

/** Issues a certificate for these host names by a new authority, whose key is discarded. Valid for ten years from `nowMs`. */
export async function issueRedisCertificate(
  names: readonly string[],
  nowMs: number,
): Promise<RedisCertificate> {
  cryptoProvider.set(webcrypto);
  const authorityKeys = await createKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity(nowMs),
    name: 'CN=Paywatch Redis authority',
    keys: authorityKeys,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  const keys = await createKeys();
  const certificate = await issue(authority, authorityKeys.privateKey, keys.publicKey, names, nowMs);
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    authority: authority.toString('pem'),
    certificate: certificate.toString('pem'),
    privateKey: PemConverter.encode(pkcs8, PemConverter.PrivateKeyTag),
  };
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
}

async function issue(
  authority: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  publicKey: webcrypto.CryptoKey,
  names: readonly string[],
  nowMs: number,
): Promise<X509Certificate> {
  return X509CertificateGenerator.create({
    ...validity(nowMs),
    subject: `CN=${names[0]}`,
    issuer: authority.subject,
    publicKey,
    signingKey,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      // Nodes of a cluster connect to each other as clients with the same certificate.
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
      await AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
}

/** Starts an hour ago, because clocks differ. */
function validity(nowMs: number) {
  return {
    serialNumber: `00${secureRandomBytes(15).toString('hex')}`,
    notBefore: new Date(nowMs - HOUR_MS),
    notAfter: new Date(nowMs + TEN_YEARS_MS),
  };
}
