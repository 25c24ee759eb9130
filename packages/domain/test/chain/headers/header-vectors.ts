/** The first two headers of Bitcoin's main network. */
export const BITCOIN_HEADERS = [
  {
    hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    hex: header(
      1,
      '0'.repeat(64),
      '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
      1231006505,
      0x1d00ffff,
      2083236893,
    ),
  },
  {
    hash: '00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048',
    hex: header(
      1,
      '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      '0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098',
      1231469665,
      0x1d00ffff,
      2573394689,
    ),
  },
] as const;

/** Litecoin's first block. */
export const LITECOIN_GENESIS = {
  hash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  hex: header(
    1,
    '0'.repeat(64),
    '97ddfbbae6be97fd6cdf3e7ca13232a3afff2353e29badfab7f73011edd4ced9',
    1317972665,
    0x1e0ffff0,
    2084524493,
  ),
};

/** Headers of Litecoin's main network with their scrypt hashes, from the unit tests of Litecoin Core. */
export const SCRYPT_HEADERS = [
  {
    hex: '020000004c1271c211717198227392b029a64a7971931d351b387bb80db027f270411e398a07046f7d4a08dd815412a8712f874a7ebf0507e3878bd24e20a3b73fd750a667d2f451eac7471b00de6659',
    pow: '00000000002bef4107f882f6115e0b01f348d21195dacd3582aa2dabd7985806',
  },
  {
    hex: '0200000011503ee6a855e900c00cfdd98f5f55fffeaee9b6bf55bea9b852d9de2ce35828e204eef76acfd36949ae56d1fbe81c1ac9c0209e6331ad56414f9072506a77f8c6faf551eac7471b00389d01',
    pow: '00000000003a0d11bdd5eb634e08b7feddcfbbf228ed35d250daf19f1c88fc94',
  },
  {
    hex: '02000000a72c8a177f523946f42f22c3e86b8023221b4105e8007e59e81f6beb013e29aaf635295cb9ac966213fb56e046dc71df5b3f7f67ceaeab24038e743f883aff1aaafaf551eac7471b0166249b',
    pow: '00000000000b40f895f288e13244728a6c2d9d59d8aff29c65f8dd5114a8ca81',
  },
] as const;

function header(
  version: number,
  prevHash: string,
  merkleRoot: string,
  time: number,
  bits: number,
  nonce: number,
): string {
  const bytes = Buffer.alloc(80);
  bytes.writeInt32LE(version, 0);
  bytes.set(Buffer.from(prevHash, 'hex').toReversed(), 4);
  bytes.set(Buffer.from(merkleRoot, 'hex').toReversed(), 36);
  bytes.writeUInt32LE(time, 68);
  bytes.writeUInt32LE(bits, 72);
  bytes.writeUInt32LE(nonce, 76);
  return bytes.toString('hex');
}
