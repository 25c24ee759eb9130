import { createHash } from 'node:crypto';

export function sha256(input: string, encoding: 'hex'): string {
  return createHash('sha256').update(input).digest(encoding);
}
