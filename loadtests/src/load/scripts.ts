import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SCRIPTS = fileURLToPath(new URL('../../k6/', import.meta.url));
const SHARED = 'shop.ts';

/** The names of the scripts. */
export function scriptNames(): string[] {
  const files = readdirSync(SCRIPTS).filter((file) => file.endsWith('.ts') && file !== SHARED);
  return files.map((file) => file.slice(0, -'.ts'.length));
}

/** The file of a script. */
export function scriptFile(name: string): string {
  return `${SCRIPTS}${name}.ts`;
}

/** What a script says about itself in its first comment. */
export function aboutScript(name: string): string {
  const [, comment = ''] = /\/\*\*(.*?)\*\//s.exec(readFileSync(scriptFile(name), 'utf8')) ?? [];
  return comment.replaceAll(/\s*\n \*\s?|\s+/g, ' ').trim();
}

/** How often each scenario runs without k6: enough for every threshold to have samples. */
export const ITERATIONS: Readonly<Record<string, number>> = {
  audience: 10,
  create: 20,
  donate: 10,
  'donation-storm': 25,
  'login-storm': 12,
  'pool-exhaustion': 25,
  read: 20,
};
