import { readFileSync } from 'node:fs';

/** Reads a file of the tests as JSON, to be parsed by the caller's schema. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
