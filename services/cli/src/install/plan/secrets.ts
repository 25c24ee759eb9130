import { randomBase64, randomToken } from '@paywatch/runtime/security';
import { existsSync, readFileSync } from 'node:fs';
import { SECRETS } from '../paths.ts';

/** The secrets that the installer generates, once. */
const GENERATORS = {
  owner_password: () => randomToken(24),
  service_password: () => randomToken(24),
  retention_password: () => randomToken(24),
  read_password: () => randomToken(24),
  redis_password: () => randomToken(24),
  operator_code: () => randomToken(24),
  encryption_keys: () => `k1:${randomBase64(32)}`,
} as const;

export type Secrets = Readonly<Record<keyof typeof GENERATORS, string>>;

/** Reads the secrets of an earlier run and generates missing ones, without writing them. */
export function readOrGenerateSecrets(folder = SECRETS): Secrets {
  const names = Object.keys(GENERATORS) as (keyof typeof GENERATORS)[];
  const values = names.map((name) => [name, readSecret(`${folder}/${name}`) ?? GENERATORS[name]()]);
  return Object.fromEntries(values) as Secrets;
}

function readSecret(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}
