import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { CommandLine } from '../terminal/command-line.ts';
import { CommandFailure } from '../terminal/failure.ts';

/** Ten thousand orders with long names are a few megabytes; what is larger is another file. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A file that the operator names; `-` is standard input. Throws CommandFailure where it cannot be read, or is no text in UTF-8. */
export async function readGivenFile({ stdin }: Pick<CommandLine, 'stdin'>, path: string): Promise<string> {
  const name = path === '-' ? 'Standard input' : path;
  try {
    const bytes = await readBytes(path === '-' ? stdin : createReadStream(path));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new CommandFailure(`${name} cannot be read: ${REASONS[code] ?? code}.`);
  }
}

async function readBytes(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
  }
  return Buffer.concat(pieces);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  EFBIG: 'it is larger than 16 MiB',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not in UTF-8; spreadsheets can save it so',
};
