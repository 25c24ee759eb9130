import type { ControlOverlayInput, HeldDecision } from '@paywatch/domain/contract';

const TIMEOUT_MS = 10_000;

/** What came of a request. `gone`: the link was replaced, or the donation is not there any more. */
export type CallResult = 'done' | 'gone' | 'limited' | 'failed';

/** The requests of a control page. They never reject, and each is safe to send again except a replay and a test. */
export type ControlCalls = ReturnType<typeof createCalls>;

/** Binds the requests to the token of a control page. */
export function createCalls(token: string) {
  const path = `/v1/public/control/${encodeURIComponent(token)}`;
  return {
    path,
    act: (body: ControlOverlayInput) => send(path, body),
    decide: (heldId: string, decision: HeldDecision) =>
      send(`${path}/decisions`, { held_id: heldId, decision }),
  };
}

async function send(path: string, body: unknown): Promise<CallResult> {
  try {
    const { ok, status } = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (ok) return 'done';
    if (status === 404) return 'gone';
    return status === 429 ? 'limited' : 'failed';
  } catch {
    // No network, or a timeout: the moderator tries again.
    return 'failed';
  }
}
