/** The bytes of a hash in internal byte order, from the display hex of RPC and explorers. */
export function bytesOfHash(display: string): Uint8Array {
  return new Uint8Array(Buffer.from(display, 'hex')).toReversed();
}
