import { createEventParser } from '@paywatch/dev/stack';

type Listener = (value: unknown) => void;
type Client = { on(name: string, listener: Listener): void; close(): void };

/** Replaces the extension `k6/x/sse`, on top of fetch. Resolves when the stream has ended. */
export default {
  async open(
    url: string,
    { headers = {} }: { headers?: Record<string, string> },
    setup: (client: Client) => void,
  ): Promise<{ status: number }> {
    const ending = new AbortController();
    const listeners: Record<string, Listener> = {};
    setup({ on: (name, listener) => void (listeners[name] = listener), close: () => ending.abort() });
    const response = await fetch(url, { headers, signal: ending.signal });
    await readEvents(response, listeners).catch((error: unknown) => {
      if (!ending.signal.aborted) listeners['error']?.({ error: () => String(error) });
    });
    return { status: response.status };
  },
};

async function readEvents(response: Response, listeners: Readonly<Record<string, Listener>>): Promise<void> {
  const decoder = new TextDecoder();
  const parse = createEventParser(({ id = '', event: name, data }) =>
    listeners['event']?.({ id, name, data }),
  );
  for await (const bytes of response.body ?? []) parse(decoder.decode(bytes, { stream: true }));
}
