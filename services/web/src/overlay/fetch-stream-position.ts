/** The server sends the position as soon as a stream opens. */
const TIMEOUT_MS = 15_000;

/**
 * Fetches the current position of an event stream, the `id` of its first block. Null if the connection was refused,
 * closed or silent before that block.
 */
export async function fetchStreamPosition(path: string): Promise<string | null> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const { ok, body } = await fetch(path, { signal: controller.signal });
    return ok && body ? positionIn(await readFirstBlock(body)) : null;
  } catch {
    // No network, or the connection was closed: the caller retries.
    return null;
  } finally {
    clearTimeout(timer);
    controller.abort();
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
