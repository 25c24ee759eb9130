/** A length or count as the chains write it (compact size). */
function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value]);
  const bytes = Buffer.alloc(value <= 0xffff ? 3 : 5);
  bytes[0] = value <= 0xffff ? 0xfd : 0xfe;
  if (value <= 0xffff) bytes.writeUInt16LE(value, 1);
  else bytes.writeUInt32LE(value, 1);
  return bytes;
}

/** A block of these raw transactions under a header that proves no work. */
export function rawBlock(transactions: readonly Uint8Array[], tail: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.alloc(80, 1), compactSize(transactions.length), ...transactions, tail]);
}
