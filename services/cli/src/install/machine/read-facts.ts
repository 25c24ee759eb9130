import { readFileSync, readlinkSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import { CommandFailure } from '../../terminal/failure.ts';
import { CURRENT } from '../paths.ts';
import { MIN_MEMORY_MB, POSTGRES_OF_DEBIAN, type Facts } from './facts.ts';

/** Reads the facts. Throws CommandFailure if this machine is not supported. */
export function readFacts(program: string): Facts {
  const facts = {
    debian: debianRelease(readFileSync('/etc/os-release', 'utf8')),
    memoryMb: Math.floor(totalmem() / 2 ** 20),
    release: releaseOf(program),
    installed: installedRelease(),
  };
  assertSupported(facts);
  return facts;
}

/** The major version in the text of /etc/os-release; 0 if it is not Debian. */
export function debianRelease(text: string): number {
  const isDebian = /^ID=debian$/m.test(text);
  return isDebian ? Number(/^VERSION_ID="?(\d+)/m.exec(text)?.[1] ?? 0) : 0;
}

/** The name of the release that contains a program. Throws CommandFailure outside of a release. */
export function releaseOf(program: string): string {
  const name = /\/releases\/([\w.-]+)\//.exec(program)?.[1];
  if (name !== undefined) return name;
  throw new CommandFailure(
    'This command works on a release that install.sh has built.',
    'Run `sh install.sh` from the folder of the source: it brings Node, builds the release and starts this command.',
  );
}

function installedRelease(): string | null {
  try {
    return basename(readlinkSync(CURRENT));
  } catch {
    return null;
  }
}

function assertSupported({ debian, memoryMb }: Facts): void {
  if (POSTGRES_OF_DEBIAN[debian] === undefined)
    throw new CommandFailure(
      'Only Debian 12 and 13 are supported.',
      'Use the image on other systems: docs/servers.md.',
    );
  if (memoryMb < MIN_MEMORY_MB)
    throw new CommandFailure(`This machine has ${memoryMb} MB of memory; ${MIN_MEMORY_MB} MB are needed.`);
}
