import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure } from '../terminal/failure.ts';
import { ADDRESSES, ADMIN_PORT, type ServiceUnit } from './paths.ts';

const ATTEMPTS = 240;
const PAUSE_MS = 500;
const TIMEOUT_MS = 5000;

/** Resolves once a process reports that it is ready. Rejects with CommandFailure after two minutes. */
export async function waitUntilReady(unit: ServiceUnit): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isReady(ADDRESSES[unit])) return;
    await pause(PAUSE_MS);
  }
  throw new CommandFailure(`${unit} is not ready.`, `Its log: journalctl -u ${unit}`);
}

async function isReady(address: string): Promise<boolean> {
  try {
    const url = `http://${address}:${ADMIN_PORT}/health/ready`;
    return (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
  } catch {
    // The process does not listen yet.
    return false;
  }
}
