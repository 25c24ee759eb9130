/** The entry of `npm run fuzz -- [--seconds N] [--seed N] [--json]`. Exits with 1 if any request got a response that no request may get. */
import { createTerminal } from '@paywatch/dev/commands';
import { createTestServers, startTestServers } from '@paywatch/dev/servers';
import { migrate } from '@paywatch/store/postgres';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runFuzz } from './run-fuzz.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, json: { type: 'boolean' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 32 - 1));
const seconds = Number(values.seconds ?? 60);
const terminal = createTerminal();
terminal.line(`fuzz: seed ${seed}`);
const stop = await startTestServers(migrate);
const servers = await createTestServers();
try {
  const result = await runFuzz({
    servers,
    seed,
    isOver: (_requests, elapsedMs) => elapsedMs > 1000 * seconds,
    onViolation: (violation) => terminal.line(violation),
  });
  const rounded = Object.entries(result).map(([name, value]) => [name, Math.round(value * 10) / 10] as const);
  for (const [name, value] of rounded) terminal.line(`  ${name.padEnd(18)} ${value}`);
  if (values.json) terminal.line(JSON.stringify({ fuzz: 'api', seed, ...Object.fromEntries(rounded) }));
  process.exitCode = result.violations > 0 ? 1 : 0;
} finally {
  await servers.close();
  await stop();
}
