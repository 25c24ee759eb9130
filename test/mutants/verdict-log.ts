import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** The results of single mutants, kept in a file, so that an interrupted run can be continued. */
export type VerdictLog = {
  /** Whether the mutant was killed; undefined if it was not tested, or if its file or its tests have changed since. */
  find(key: VerdictKey): boolean | undefined;
  add(key: VerdictKey, isKilled: boolean): void;
};

/** A mutant, and a digest of all that its result depends on. */
export type VerdictKey = { file: string; name: string; digest: string };

const verdictSchema = z.object({
  file: z.string(),
  name: z.string(),
  digest: z.string(),
  isKilled: z.boolean(),
});

/** Opens a log. Without `isResumed` it is emptied first. */
export function openVerdictLog(path: string, isResumed: boolean): VerdictLog {
  const known = isResumed && existsSync(path) ? readVerdicts(path) : [];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, known.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));
  const verdicts = new Map(known.map((verdict) => [textOf(verdict), verdict.isKilled]));
  return {
    find: (key) => verdicts.get(textOf(key)),
    add: (key, isKilled) => {
      verdicts.set(textOf(key), isKilled);
      appendFileSync(path, `${JSON.stringify({ ...key, isKilled })}\n`);
    },
  };
}

/** Digests texts, in their order. */
export function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} ${text}`);
  return hash.digest('hex').slice(0, 16);
}

/** A run that was killed while it wrote leaves an incomplete last line. */
function readVerdicts(path: string): z.infer<typeof verdictSchema>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const verdict = verdictSchema.safeParse(parsed(line));
      return verdict.success ? [verdict.data] : [];
    });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function textOf({ file, name, digest }: VerdictKey): string {
  return JSON.stringify([file, name, digest]);
}
