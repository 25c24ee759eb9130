import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** What a test changes about an assertion: another site, origin or challenge, a missing touch or PIN, a counter of its own. */
export type Forgery = {
  rpId?: string;
  origin?: string;
  challenge?: string;
  type?: string;
  isPresent?: boolean;
  isVerified?: boolean;
  counter?: number;
  userHandle?: string | null;
  /** COSE number of the algorithm that the key is said to have. */
  algorithm?: number;
  /** CBOR of the attestation format and statement, instead of none. */
  attestation?: Buffer;
};

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string };

/** A passkey with ES256 in memory, and the browser around it. */
export type SoftwarePasskey = {
  credentialId: string;
  /** What `navigator.credentials.create().toJSON()` returns. */
  register(options: CreationOptions, forgery?: Forgery): Registration;
  /** What `navigator.credentials.get().toJSON()` returns. Each assertion increases the counter, unless the passkey is synced. */
  answer(options: RequestOptions, forgery?: Forgery): Assertion;
};

type Credential<Response> = {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults: object;
  response: Response;
};
export type Registration = Credential<{
  clientDataJSON: string;
  attestationObject: string;
  transports: string[];
}>;
export type Assertion = Credential<{
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}>;

/** Makes a passkey for pages of `origin`. A synced one has no counter. */
export function createSoftwarePasskey(
  origin: string,
  { isSynced = false, credentialId = randomBytes(16) }: { isSynced?: boolean; credentialId?: Buffer } = {},
): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = credentialId.toString('base64url');
  let counter = 0;
  let userHandle = '';
  const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
  return {
    credentialId: id,
    register: (options, forgery = {}) => {
      userHandle = options.user.id;
      const clientData = clientDataOf({ type: 'webauthn.create', origin, ...options }, forgery);
      const key = Buffer.concat([
        Buffer.alloc(16),
        lengthOf(credentialId),
        credentialId,
        coseKey(publicKey, forgery),
      ]);
      const authData = Buffer.concat([authenticatorData(options.rp.id, 0x40, counter, forgery), key]);
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject(authData, forgery).toString('base64url'),
        transports: ['internal'],
      };
      return { ...credential, response };
    },
    answer: (options, forgery = {}) => {
      counter += isSynced ? 0 : 1;
      const clientData = clientDataOf({ type: 'webauthn.get', origin, ...options }, forgery);
      const data = authenticatorData(options.rpId, 0, counter, forgery);
      const signed = Buffer.concat([data, sha256(clientData)]);
      const handle = forgery.userHandle === undefined ? userHandle : forgery.userHandle;
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        ...(handle === null ? {} : { userHandle: handle }),
      };
      return { ...credential, response };
    },
  };
}

type ClientData = { type: string; origin: string; challenge: string };

function clientDataOf({ type, origin, challenge }: ClientData, forgery: Forgery): Buffer {
  const { type: otherType, origin: otherOrigin, challenge: other } = forgery;
  const data = {
    type: otherType ?? type,
    challenge: other ?? challenge,
    origin: otherOrigin ?? origin,
    crossOrigin: false,
  };
  return Buffer.from(JSON.stringify(data));
}

/** RP id hash, flags and counter. */
function authenticatorData(rpId: string, extraFlags: number, counter: number, forgery: Forgery): Buffer {
  const { isPresent = true, isVerified = true } = forgery;
  const flags = extraFlags | (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0);
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags, 0);
  tail.writeUInt32BE(forgery.counter ?? counter, 1);
  return Buffer.concat([sha256(Buffer.from(forgery.rpId ?? rpId)), tail]);
}

/** The COSE_Key of a point on P-256: kty 2, alg, crv 1, x, y. */
function coseKey(publicKey: KeyObject, { algorithm = -7 }: Forgery): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from('a5010203', 'hex'),
    cborNegative(algorithm),
    Buffer.from('2001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
}

function cborNegative(value: number): Buffer {
  const stored = -1 - value;
  return stored < 24 ? Buffer.from([0x20 + stored]) : Buffer.from([0x39, stored >> 8, stored & 0xff]);
}

/** `fmt: none` and an empty `attStmt` unless forged. */
function attestationObject(authData: Buffer, { attestation }: Forgery): Buffer {
  const none = Buffer.from('63666d74646e6f6e656761747453746d74a0', 'hex');
  const head = Buffer.concat([Buffer.from('68617574684461746159', 'hex'), lengthOf(authData)]);
  return Buffer.concat([Buffer.from([0xa3]), attestation ?? none, head, authData]);
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
