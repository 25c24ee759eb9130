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
/** What precedes a position, and the number of a change of the settings. */
const MARKS = {
  position: Buffer.from('\nid: '),
  settings: Buffer.from('"speech_max_length":'),
} as const;
const NEWLINE = 0x0a;
const [ZERO, NINE] = [0x30, 0x39];

/** What a reader reports: each position (`id`), and the number of each change of the settings. */
export type StreamListener = {
  onPosition: (position: number) => void;
  onSettings: ((number: number) => void) | null;
};

/**
 * Parses received bytes of an event stream in HTTP chunks, each of which holds one or more whole messages. Parses nothing but the status
 * line, the `id` lines and the number of the settings, so that one process can read tens of thousands of streams. Throws if the status is
 * not 200.
 */
export function readStream(
  state: StreamState,
  arrived: Buffer,
  { onPosition, onSettings }: StreamListener,
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
  const complete = text.subarray(from, end);
  reportNumbers(complete, MARKS.position, onPosition);
  if (onSettings !== null) reportNumbers(complete, MARKS.settings, onSettings);
}

function reportNumbers(text: Buffer, mark: Buffer, report: (number: number) => void): void {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length))
    report(numberAt(text, at + mark.length));
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
