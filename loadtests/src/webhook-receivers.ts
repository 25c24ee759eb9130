import { freePort, type CertificateAuthority, type ServerCertificate } from '@paywatch/dev';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Merchants' https servers on a thread of their own. */
export type WebhookReceivers = {
  healthyUrl: string;
  /** Endpoints on hosts of their own that take a request and never answer. */
  hangingUrls: readonly string[];
  hangingHosts: readonly string[];
  /** Webhooks that the healthy one has answered, as it told some milliseconds ago. */
  countReceived(): number;
  /** From the cause of each event to its arrival, of all since the last call. */
  takeLatenciesMs(): number[];
  stop(): Promise<void>;
};

/** Starts them with certificates of this authority, `hanging` of the kind that hangs. */
export async function startWebhookReceivers(
  authority: CertificateAuthority,
  hanging: number,
): Promise<WebhookReceivers> {
  const hangingHosts = Array.from({ length: hanging }, (_, n) => `127.1.${n >> 7}.${(n % 128) + 1}`);
  const [healthyPort, hangingPort] = [await freePort(), await freePort()];
  const thread = new Worker(new URL('./receiver-thread.ts', import.meta.url), {
    workerData: {
      healthyPort,
      hangingPort,
      healthy: toTls(await authority.issue()),
      hanging: toTls(await authority.issue(hangingHosts)),
    },
  });
  await once(thread, 'message');
  let count = 0;
  let latencies: number[] = [];
  thread.on('message', (batch: unknown) => {
    const some = z.array(z.number()).parse(batch);
    count += some.length;
    latencies.push(...some);
  });
  return {
    healthyUrl: `https://localhost:${healthyPort}/webhooks`,
    hangingUrls: hangingHosts.map((host) => `https://${host}:${hangingPort}/webhooks`),
    hangingHosts,
    countReceived: () => count,
    takeLatenciesMs: () => {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    stop: async () => void (await thread.terminate()),
  };
}

function toTls({ certificate, privateKey }: ServerCertificate): { cert: string; key: string } {
  return { cert: certificate, key: privateKey };
}
