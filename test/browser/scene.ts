import { startStack, type Stack } from '@paywatch/dev/stack';
import { chromiumOptions, HANG_TIMEOUT_MS } from '@paywatch/dev/testing';

import postgres, { type Sql } from 'postgres';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** A stack on real chains, and a browser. */
export type Scene = {
  stack: Stack;
  browser: Browser;
  sql: Sql;
  /** Opens a new page, whose errors are collected in `faults`. */
  open(options?: BrowserContextOptions): Promise<Page>;
  faults: string[];
  stop(): Promise<void>;
};

/** The two viewports that every page supports. */
export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 800 };

/** As the installer writes it. */
export const OPERATOR_CODE = 'd2f8a1c04b7e93f65a1d';

/** Starts stack and browser. */
export async function openScene(): Promise<Scene> {
  // All users share one address and log in more often than a person would. Half of a wallet's addresses are taken by one test.
  const env = { LOGIN_LIMIT_POINTS: '1000', DEFAULT_GAP_LIMIT: '200', OPERATOR_CODE };
  const [stack, browser] = await Promise.all([startStack({ env }), launchBrowser()]);
  const sql = postgres(stack.postgres.url, { max: 1 });
  const faults: string[] = [];
  return {
    stack,
    browser,
    sql,
    faults,
    open: (options) => openPage(browser, faults, options),
    stop: async () => {
      await browser.close();
      await sql.end();
      await stack.stop();
    },
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(chromiumOptions());
}

/** Collects page errors, console errors and violations of the Content-Security-Policy. */
async function openPage(
  browser: Browser,
  faults: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, locale: 'en-US', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(HANG_TIMEOUT_MS);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.includes('Failed to load resource')) faults.push(text);
  });
  return page;
}
