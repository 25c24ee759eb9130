import { once } from 'node:events';
import { z } from 'zod';

/** A Node process that was started with `--inspect`, asked about its memory. */
export type ProcessInspector = {
  /** Bytes of the JavaScript heap that are still held after all garbage was collected. */
  heldBytes(): Promise<number>;
  close(): void;
};

const targetsSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })], z.unknown());
const answerSchema = z.object({ id: z.number().optional(), result: z.unknown() });
const heapSchema = z.object({ usedSize: z.number() });

/** Connects to the inspector on this port of 127.0.0.1 (Chrome DevTools Protocol). */
export async function inspectProcess(port: number): Promise<ProcessInspector> {
  const targets = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = targetsSchema.parse(await targets.json());
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result } = answerSchema.parse(JSON.parse(String(data)));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let asked = 0;
  const ask = (method: string): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked += 1;
    waiting.set(asked, resolve);
    socket.send(JSON.stringify({ id: asked, method }));
    return promise;
  };
  return {
    heldBytes: async () => {
      await ask('HeapProfiler.collectGarbage');
      return heapSchema.parse(await ask('Runtime.getHeapUsage')).usedSize;
    },
    close: () => socket.close(),
  };
}
