import { parse } from 'bowser';

/** A program that is no browser names itself first: `curl/8.5.0`. */
const PROGRAM = /^[A-Za-z][\w.-]{0,39}/;

/** Names a device by its User-Agent, as in "Firefox on Linux". Null if it names nothing. Pure. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null;
  const { browser, os } = parse(userAgent);
  const program = browser.name || PROGRAM.exec(userAgent)?.[0];
  if (!program) return os.name || null;
  return os.name ? `${program} on ${os.name}` : program;
}
