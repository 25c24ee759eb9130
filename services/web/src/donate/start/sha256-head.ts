/** Initial state and constants of SHA-256 (FIPS 180-4): fractional parts of square and cube roots of primes. */
const PRIMES = firstPrimes(64);
const INITIAL = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));

/** The longest text that fits into one block with its padding. */
const MAX_LENGTH = 55;
const schedule = new Int32Array(64);

/**
 * The first 32 bits of the SHA-256 hash of at most 55 ASCII characters. Synchronous, since the promises of Web Crypto
 * cost far more than the hash. Throws RangeError for a longer text.
 */
export function sha256Head(text: string): number {
  if (text.length > MAX_LENGTH) throw new RangeError(`text is longer than ${MAX_LENGTH} characters`);
  fillBlock(text);
  extendSchedule();
  return compress();
}

/** Writes the padded block: the text, a one bit, zeros, and the length in bits. */
function fillBlock(text: string): void {
  schedule.fill(0, 0, 16);
  for (let i = 0; i < text.length; i += 1) putByte(i, text.charCodeAt(i));
  putByte(text.length, 0x80);
  schedule[15] = text.length * 8;
}

function putByte(position: number, byte: number): void {
  schedule[position >> 2]! |= byte << (24 - 8 * (position & 3));
}

function extendSchedule(): void {
  for (let i = 16; i < 64; i += 1) {
    const [a, b] = [schedule[i - 15]!, schedule[i - 2]!];
    const s0 = rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3);
    const s1 = rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10);
    schedule[i] = schedule[i - 16]! + s0 + schedule[i - 7]! + s1;
  }
}

function compress(): number {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = INITIAL;
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + schedule[i]!) | 0;
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  return (a + INITIAL[0]!) | 0;
}

function rotateRight(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fractionBits(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}
