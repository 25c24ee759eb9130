/**
 * bcoin's own regtest has prefixes that no other software knows. Imported before bcoin's node: it reads the table once.
 */
import networks from 'bcoin/lib/protocol/networks.js';

networks.regtest.addressPrefix = {
  pubkeyhash: 0x6f,
  scripthash: 0xc4,
  witnesspubkeyhash: 0x03,
  witnessscripthash: 0x28,
  bech32: 'bcrt',
};
