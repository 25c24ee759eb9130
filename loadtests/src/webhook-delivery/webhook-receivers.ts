import type { CertificateAuthority } from '@paywatch/dev/servers';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Merchants' https servers. The hanging ones run in a different thread than the healthy one. */
export type WebhookReceivers = {
  healthyUrl: string;
  /** Endpoints, each with its own port, that accept requests and never respond. */
  hangingUrls: readonly string[];
  /** Webhooks that the healthy server has received, as of its last report. */
  countReceived(): number;
  /** Requests that wait at the hanging servers, as of their last report. */
  countHeld(): number;
  /** Latencies from insertion to arrival of all events since the last call. */
  takeLatenciesMs(): number[];
  stop(): Promise<void>;
};

/** Starts one healthy and `hanging` hanging servers, with certificates of this authority. */
export async function startWebhookReceivers(
  authority: CertificateAuthority,
  hanging: number,
): Promise<WebhookReceivers> {
  const healthy = await startThread(authority, 0);
  const hung = await startThread(authority, hanging);
  let count = 0;
  let held = 0;
  hung.thread.on('message', (report: unknown) => {
    held = z.number().parse(report);
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
