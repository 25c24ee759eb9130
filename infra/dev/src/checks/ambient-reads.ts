import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line that reads the clock, randomness or the environment directly instead of getting it as an argument. */
export type AmbientRead = { file: string; line: number; text: string };

const ambient = [
  { pattern: /\bprocess\.env\b/, allowedIn: /^(packages\/runtime\/src\/|.+\/config\.ts$|.+\.config\.ts$)/ },
  {
    pattern:
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(Bytes|UUID|Int|FillSync)\(|\bgetRandomValues\(/,
    // The client runs on merchants' servers and the pages in browsers, without our runtime.
    allowedIn: /^(packages\/runtime\/src\/|packages\/client\/src\/|services\/web\/)/,
  },
];

/** Finds such lines in packages and services. Import rules cannot, because these are globals. */
export function findAmbientReads(repository: string): AmbientRead[] {
  const files = globSync('{packages,services}/*/src/**/*.{ts,tsx}', { cwd: repository });
  return files.flatMap((file) => findIn(file, readFileSync(join(repository, file), 'utf8')));
}

/** Finds such lines in one file, except in comments. */
export function findIn(file: string, source: string): AmbientRead[] {
  const patterns = ambient.filter(({ allowedIn }) => !allowedIn.test(file)).map(({ pattern }) => pattern);
  return source.split('\n').flatMap((text, index) => {
    const isComment = /^\s*(\/\/|\/?\*)/.test(text);
    const isAmbient = !isComment && patterns.some((pattern) => pattern.test(text));
    return isAmbient ? [{ file, line: index + 1, text: text.trim() }] : [];
  });
}
