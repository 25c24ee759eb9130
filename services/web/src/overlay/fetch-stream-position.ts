/** A stream says where it stands at once: what has said nothing for so long is no way to it. */
const SILENCE_MS = 15_000;

/**
 * Where an event stream stands now: the id of its first block, which says nothing else. Null where it was refused, broke off
 * or kept silent before it said so.
 */
export async function fetchStreamPosition(path: string): Promise<string | null> {
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), SILENCE_MS);
  try {
    const { ok, body } = await fetch(path, { signal: leaving.signal });
    return ok && body ? positionIn(await readFirstBlock(body)) : null;
  } catch {
    // No network, or a server that went away: the caller asks again.
    return null;
  } finally {
    clearTimeout(timer);
    leaving.abort();
  }
}

async function readFirstBlock(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let isDone = false; !isDone && !text.includes('\n\n');) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: true });
    isDone = done;
  }
  return text;
}

function positionIn(block: string): string | null {
  return /^id: (.+)$/m.exec(block)?.[1] ?? null;
}
