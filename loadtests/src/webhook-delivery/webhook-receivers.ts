import type { CertificateAuthority } from '@paywatch/dev/servers';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Merchants' https servers: those that hang have a thread apart from the one that answers. */
export type WebhookReceivers = {
  healthyUrl: string;
  /** Endpoints with ports of their own that take a request and never answer. */
  hangingUrls: readonly string[];
  /** Webhooks that the healthy one has answered, as it told some milliseconds ago. */
  countReceived(): number;
  /** Requests that the hanging ones hold unanswered, as they told some milliseconds ago. */
  countHeld(): number;
  /** From the cause of each event to its arrival, of all since the last call. */
  takeLatenciesMs(): number[];
  stop(): Promise<void>;
};

/** Starts them with certificates of this authority, `hanging` of the kind that hangs. */
export async function startWebhookReceivers(
  authority: CertificateAuthority,
  hanging: number,
): Promise<WebhookReceivers> {
  const healthy = await startThread(authority, 0);
  const hung = await startThread(authority, hanging);
  let count = 0;
  let held = 0;
  hung.thread.on('message', (told: unknown) => {
    held = z.number().parse(told);
  });
  let latencies: number[] = [];
  healthy.thread.on('message', (batch: unknown) => {
    const some = numbers.parse(batch);
    count += some.length;
    latencies.push(...some);
  });
  const [healthyUrl = ''] = healthy.urls;
  return {
    healthyUrl,
    hangingUrls: hung.urls,
    countReceived: () => count,
    countHeld: () => held,
    takeLatenciesMs: () => {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    stop: async () => {
      await Promise.all([healthy.thread.terminate(), hung.thread.terminate()]);
    },
  };
}

const numbers = z.array(z.number());

async function startThread(
  authority: CertificateAuthority,
  hanging: number,
): Promise<{ thread: Worker; urls: string[] }> {
  const { certificate, privateKey } = await authority.issue();
  const thread = new Worker(new URL('./receiver-thread.ts', import.meta.url), {
    workerData: { hanging, cert: certificate, key: privateKey },
  });
  const [ports] = await once(thread, 'message');
  return { thread, urls: numbers.parse(ports).map((port) => `https://localhost:${port}/webhooks`) };
}
