import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { CommandLine } from './command-line.ts';
import { CommandFailure } from './failure.ts';

/** A file that the operator names; `-` is standard input. Throws CommandFailure where it cannot be read. */
export async function readGivenFile({ stdin }: Pick<CommandLine, 'stdin'>, path: string): Promise<string> {
  if (path === '-') return text(stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new CommandFailure(`${path} cannot be read: ${REASONS[code] ?? code}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};
