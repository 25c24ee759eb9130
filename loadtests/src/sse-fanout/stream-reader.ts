/** What one client of an event stream has had. */
export type StreamState = {
  isOpen: boolean;
  /** The newest position; -1 before the first. */
  position: number;
  /** What was read of a line that is not complete yet. */
  rest: Buffer | null;
};

/** A client that has received nothing. */
export function newStreamState(): StreamState {
  return { isOpen: false, position: -1, rest: null };
}

const HEAD_END = Buffer.from('\r\n\r\n');
const MARKS = { id: Buffer.from('\nid: '), data: Buffer.from('\ndata: ') };
const NEWLINE = 0x0a;
const [ZERO, NINE] = [0x30, 0x39];

/**
 * Reads what arrived over a connection whose answer is an event stream in HTTP chunks, one or more whole messages to a
 * chunk, and tells each position. Looks at nothing but the status line and the lines that begin with a position, so that one
 * process can read tens of thousands of streams. Throws on an answer that is not 200.
 */
export function readStream(
  state: StreamState,
  arrived: Buffer,
  positionLine: 'id' | 'data',
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
  // The buffer is read into again: what is kept is a copy.
  if (end < text.length) state.rest = Buffer.from(text.subarray(end));
  const mark = MARKS[positionLine];
  for (let at = text.indexOf(mark, from); at >= 0 && at < end; at = text.indexOf(mark, at + mark.length))
    onPosition(numberAt(text, at + mark.length));
}

/** -1 until the head is complete. */
function headLength(text: Buffer): number {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return -1;
  const statusLine = text.toString('latin1', 0, text.indexOf('\r\n'));
  if (!/^HTTP\/1\.[01] 200 /.test(statusLine)) throw new Error(`a stream was answered with ${statusLine}`);
  return end + 2;
}

/** Up to the end of a chunk, or to the last line break of what is not one. */
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
