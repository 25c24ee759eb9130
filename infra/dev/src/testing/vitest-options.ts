import { HANG_TIMEOUT_MS } from './wait-until.ts';

/** A test or a hook waits several times, each time up to the deadline; the inner wait must fail first, as it names what it waits for. */
const TEST_TIMEOUT_MS = 5 * HANG_TIMEOUT_MS;

/** Options that every workspace's vitest shares. */
export const vitestOptions = {
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  teardownTimeout: HANG_TIMEOUT_MS,
  expect: { poll: { timeout: HANG_TIMEOUT_MS } },
};

/** The same where no JSX and no alias has to be transformed: Node runs TypeScript as it stands, and keeps what it compiled. */
export const untransformedOptions = {
  ...vitestOptions,
  // Files share no state but modules, which are loaded once.
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
};
