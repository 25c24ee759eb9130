/** The bytes of a hash, as they are hashed, from the display hex in which people and RPC write it. */
export function bytesOfHash(display: string): Uint8Array {
  return new Uint8Array(Buffer.from(display, 'hex')).toReversed();
}
