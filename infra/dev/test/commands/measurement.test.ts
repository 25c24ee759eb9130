import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A measurement that returns the number of cores its process may use. */
function measure(...options: string[]): { status: number | null; stdout: string } {
  const source = `
    import { availableParallelism } from 'node:os';
    import { runMeasurement } from ${JSON.stringify(new URL('../../src/commands/measurement.ts', import.meta.url).href)};
    const run = async ({ isSlow }) => [
      { name: 'cores', value: availableParallelism() },
      { name: 'slow', value: Number(isSlow) },
    ];
    const measurements = { cores: { about: 'cores', load: async () => ({ run }) } };
    process.exit(await runMeasurement({ name: 'chaos', measurements }, ${JSON.stringify(['cores', '--json', ...options])}));`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    encoding: 'utf8',
  });
  return { status, stdout };
}

test.skipIf(process.platform !== 'linux')(
  'with --slow a measurement runs on one core, gets `isSlow`, and prints its figures',
  () => {
    const { status, stdout } = measure('--slow');
    expect(status).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ cores: 1, slow: 1 });
    expect(JSON.parse(measure().stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ slow: 0 });
  },
);

test('an unknown option prints the usage', () => {
  expect(measure('--slower').status).toBe(2);
});
