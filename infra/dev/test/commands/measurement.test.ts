import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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

test.skipIf(process.platform !== 'linux')(
  'with --disturbed another process computes beside a measurement, and ends with it',
  () => {
    const source = `
      import { readFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { runMeasurement } from ${JSON.stringify(new URL('../../src/commands/measurement.ts', import.meta.url).href)};
      import { processTree } from ${JSON.stringify(new URL('../../src/testing/process-tree.ts', import.meta.url).href)};
      const ticks = (pid) => Number(readFileSync('/proc/' + pid + '/stat', 'utf8').split(' ')[13]);
      const run = async () => {
        const others = processTree(process.pid).filter((pid) => pid !== process.pid);
        while (!others.some((pid) => ticks(pid) > 20)) await sleep(50);
        return others.map((value) => ({ name: 'pid', value }));
      };
      const measurements = { beside: { about: 'beside', load: async () => ({ run }) } };
      process.exitCode = await runMeasurement({ name: 'bench', measurements }, ['beside', '--json', '--disturbed']);`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const { pid } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  },
);

test('an unknown option prints the usage', () => {
  expect(measure('--slower').status).toBe(2);
});
