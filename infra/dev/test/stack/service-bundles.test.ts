import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { serviceProgram } from '../../src/stack/processes.ts';
import { bundleServices } from '../../src/stack/service-bundles.ts';

const { PAYWATCH_BUNDLES: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env['PAYWATCH_BUNDLES'];
  else process.env['PAYWATCH_BUNDLES'] = before;
});

/** Exit code and standard error of a service that is given no configuration. */
function refusalOf(program: string): { status: number | null; stderr: string } {
  const env = { PATH: process.env['PATH'] };
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', env });
  return { status, stderr };
}

test('the bundle of a service runs what its source runs', async () => {
  delete process.env['PAYWATCH_BUNDLES'];
  const fromSource = refusalOf(serviceProgram('api'));
  process.env['PAYWATCH_BUNDLES'] = before ?? (await bundleServices());
  expect(serviceProgram('api')).not.toContain('src');
  const fromBundle = refusalOf(serviceProgram('api'));
  expect(fromBundle).toEqual(fromSource);
  expect(fromBundle).toMatchObject({ status: 1, stderr: expect.stringContaining('DATABASE_URL') });
});

test('a traced service runs from source', async () => {
  process.env['PAYWATCH_BUNDLES'] = '/bundles';
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  expect(serviceProgram('api', traced)).toMatch(/services\/api\/src\/main\.ts$/);
});
