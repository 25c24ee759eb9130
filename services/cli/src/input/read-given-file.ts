import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { CommandLine } from '../terminal/command-line.ts';
import { CommandFailure } from '../terminal/failure.ts';

/** Ten thousand orders take a few megabytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a UTF-8 file; `-` is standard input. Throws CommandFailure if it cannot be read or decoded. */
export async function readGivenFile({ stdin }: Pick<CommandLine, 'stdin'>, path: string): Promise<string> {
  const name = path === '-' ? 'standard input' : path;
  try {
    const bytes = await readBytes(path === '-' ? stdin : createReadStream(path));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new CommandFailure(`Cannot read ${name}: ${REASONS[code] ?? code}.`);
  }
}

async function readBytes(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
  }
  return Buffer.concat(pieces);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  EFBIG: 'it is larger than 16 MiB',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not encoded in UTF-8; export it again as UTF-8',
};
