import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';
import { randomBytes, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its private key, in PEM. */
export type ServerCertificate = { certificate: string; privateKey: string };

/** A certificate authority that only the development stack trusts. */
export type CertificateAuthority = {
  /** The authority's certificate, in PEM. Its key exists only in memory. */
  caPem: string;
  /** The file with `caPem`, for NODE_EXTRA_CA_CERTS or WEBHOOK_CA_FILE. */
  caFile: string;
  /** Issues a certificate for 127.0.0.1, ::1, localhost, *.localhost and `names`. */
  issue(names?: readonly string[]): Promise<ServerCertificate>;
  /** Issues a certificate that clients must reject: an expired one, or one for another host. */
  issueFaulty(fault: 'expired' | 'other_host'): Promise<ServerCertificate>;
};

const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const localNames = ['127.0.0.1', '::1', 'localhost', '*.localhost'];
const dayMs = 86_400_000;

/** Creates an authority and writes its certificate to `ca.pem` in the folder. All certificates are valid for 30 days. */
export async function createCertificateAuthority(folder: string): Promise<CertificateAuthority> {
  cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: 'CN=Paywatch development authority',
    keys,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const caPem = authority.toString('pem');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, `${caPem}\n`);
  return {
    caPem,
    caFile,
    issue: (names = []) => issue(authority, keys.privateKey, { names: [...localNames, ...names] }),
    issueFaulty: (fault) =>
      issue(authority, keys.privateKey, {
        names: fault === 'other_host' ? ['other.example'] : localNames,
        ...(fault === 'expired' && { notAfter: new Date(Date.now() - 60_000) }),
      }),
  };
}

async function issue(
  authority: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  { names, ...ending }: { names: readonly string[]; notAfter?: Date },
): Promise<ServerCertificate> {
  const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    ...validity(),
    ...ending,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map(alternativeName)),
      await AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: certificate.toString('pem'), privateKey: toPem('PRIVATE KEY', pkcs8) };
}

/** The start of validity is an hour ago, because clocks differ. */
function validity() {
  return {
    serialNumber: `00${randomBytes(15).toString('hex')}`,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 30 * dayMs),
  };
}

function alternativeName(name: string): { type: 'ip' | 'dns'; value: string } {
  const isAddress = /^[\d.]+$/.test(name) || name.includes(':');
  return { type: isAddress ? 'ip' : 'dns', value: name };
}

function toPem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----`;
}
