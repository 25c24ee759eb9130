const ZERO = 0x30;

/** Whether `part` stands in the bytes at `start`. */
export function holdsAt(bytes: Buffer, start: number, part: Buffer): boolean {
  for (let i = 0; i < part.length; i += 1) if (bytes[start + i] !== part[i]) return false;
  return true;
}

/** The number that the digits from `start` to `end` say. */
export function numberAt(bytes: Buffer, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at += 1) number = 10 * number + (bytes[at] ?? ZERO) - ZERO;
  return number;
}
