/** The state of one event stream client. */
export type StreamState = {
  isOpen: boolean;
  /** The newest position; -1 before the first. */
  position: number;
  /** The beginning of an incomplete line. */
  rest: Buffer | null;
};

/** The state of a client before its first byte. */
export function newStreamState(): StreamState {
  return { isOpen: false, position: -1, rest: null };
}

const HEAD_END = Buffer.from('\r\n\r\n');
const POSITION_MARK = Buffer.from('\nid: ');
const NEWLINE = 0x0a;
const [ZERO, NINE] = [0x30, 0x39];

/**
 * Parses received bytes of an event stream in HTTP chunks, each of which holds one or more whole messages, and reports each
 * position (`id`). Parses nothing but the status line and the `id` lines, so that one process can read tens of thousands of
 * streams. Throws if the status is not 200.
 */
export function readStream(
  state: StreamState,
  arrived: Buffer,
  onPosition: (position: number) => void,
): void {
  const text = state.rest === null ? arrived : Buffer.concat([state.rest, arrived]);
  state.rest = null;
  const from = state.isOpen ? 0 : headLength(text);
  if (from < 0) {
    state.rest = Buffer.from(text);
    return;
  }
  state.isOpen = true;
  const end = completeLength(text);
  // The buffer is reused by the next read, so the rest is copied.
  if (end < text.length) state.rest = Buffer.from(text.subarray(end));
  const { length } = POSITION_MARK;
  const next = (after: number): number => text.indexOf(POSITION_MARK, after);
  for (let at = next(from); at >= 0 && at < end; at = next(at + length))
    onPosition(numberAt(text, at + length));
}

/** Length of the response head; -1 until it is complete. */
function headLength(text: Buffer): number {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return -1;
  const statusLine = text.toString('latin1', 0, text.indexOf('\r\n'));
  if (!/^HTTP\/1\.[01] 200 /.test(statusLine)) throw new Error(`the stream's status is ${statusLine}`);
  return end + 2;
}

/** Length up to the end of the last chunk, or to the last line break of an incomplete one. */
function completeLength(text: Buffer): number {
  const isWhole = text.at(-1) === NEWLINE && text.at(-3) === NEWLINE && text.at(-4) === NEWLINE;
  return isWhole ? text.length : Math.max(0, text.lastIndexOf(NEWLINE));
}

function numberAt(text: Buffer, start: number): number {
  let value = 0;
  for (let at = start; at < text.length; at += 1) {
    const digit = text[at] ?? 0;
    if (digit < ZERO || digit > NINE) break;
    value = value * 10 + digit - ZERO;
  }
  return value;
}
