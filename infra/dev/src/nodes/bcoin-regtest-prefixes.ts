/**
 * Replaces bcoin's regtest prefixes, which no other software uses. Import this before bcoin's node, which reads the table once.
 */
import networks from 'bcoin/lib/protocol/networks.js';

networks.regtest.addressPrefix = {
  pubkeyhash: 0x6f,
  scripthash: 0xc4,
  witnesspubkeyhash: 0x03,
  witnessscripthash: 0x28,
  bech32: 'bcrt',
};
