import { findProgram } from '../servers/server-process.ts';
import { HANG_TIMEOUT_MS } from './wait-until.ts';

/**
 * How tests launch Chromium: Debian's headless shell, which renders the same pages in less CPU time than the browser with a window, else
 * that browser. CHROMIUM overrides the path.
 */
export function chromiumOptions(): { executablePath: string; args: string[]; timeout: number } {
  const installed = findProgram('chromium-headless-shell') ?? '/usr/bin/chromium';
  return {
    executablePath: process.env['CHROMIUM'] ?? installed,
    args: ['--no-sandbox', '--disable-background-networking'],
    timeout: HANG_TIMEOUT_MS,
  };
}
