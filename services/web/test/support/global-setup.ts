import { chromiumOptions } from '@paywatch/dev/testing';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { distFolder } from '../../build/vite-options.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The WebSocket endpoint of the browser of this test run. */
    browserEndpoint: string;
  }
}

/**
 * Builds the pages, unless PAYWATCH_WEB_BUILT says that the build is current, and starts one browser for the test run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26) throw new Error(`these tests need Node 26, but this is ${process.version}`);
  if (process.env['PAYWATCH_WEB_BUILT'] === undefined) await import('../../build/build.ts');
  if (!existsSync(`${distFolder}/server/render.js`))
    throw new Error('the build did not write server/render.js');
  const browser = await chromium.launchServer(chromiumOptions());
  project.provide('browserEndpoint', browser.wsEndpoint());
  return () => browser.close();
}
