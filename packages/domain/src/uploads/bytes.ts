/**
 * Reading the structure of a file. Every reader throws RangeError where the file ends too early or contradicts itself; DataView does so
 * by itself for a position outside of the file.
 */
export type Bytes = { readonly all: Uint8Array; readonly view: DataView };

/** Prepares a file for reading. */
export function bytesOf(all: Uint8Array): Bytes {
  return { all, view: new DataView(all.buffer, all.byteOffset, all.byteLength) };
}

/** Throws RangeError if the file is not what its format demands. */
export function expectFormat(isAsDemanded: boolean): asserts isAsDemanded {
  if (!isAsDemanded) throw new RangeError('the file is damaged');
}

/** The next characters as text, one for each byte. Shorter at the end of the file. */
export function textAt({ all }: Bytes, at: number, length: number): string {
  return String.fromCharCode(...all.subarray(at, at + length));
}

/** Three bytes, the lowest first. */
export function uint24At({ view }: Bytes, at: number): number {
  return view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
}

/** Returns the position behind a part of the file. Throws RangeError if the file ends before. */
export function endOf({ all }: Bytes, at: number, length: number): number {
  expectFormat(at + length <= all.length);
  return at + length;
}
