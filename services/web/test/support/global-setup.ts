import { existsSync } from 'node:fs';
import { distFolder } from '../../build/vite-options.ts';

/** Tests look at the build: an old one would prove nothing. PAYWATCH_WEB_BUILT says that it was just made. */
export default async function setup(): Promise<void> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26) throw new Error(`these tests need Node 26, this is ${process.version}`);
  if (process.env['PAYWATCH_WEB_BUILT'] === undefined) await import('../../build/build.ts');
  if (!existsSync(`${distFolder}/server/render.js`)) throw new Error('the build left no server/render.js');
}
