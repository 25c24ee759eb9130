import { createCertificateAuthority, type CertificateAuthority } from '@paywatch/dev/servers';
import { startReceiver, type Receiver } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import type { Clock } from '@paywatch/runtime/process';
import { getWebhookEndpoint, type EndpointStatus, type WebhookEndpoint } from '@paywatch/store/webhooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { WebhookWorkerSettings } from '../../src/webhook-worker.ts';
import {
  causeEvent,
  createProject,
  letTimePass,
  readDelivery,
  setEndpoint,
  type DeliveryState,
} from './merchant.ts';
import { openTestBench, type GivenServers, type TestBench } from './worker.ts';

/** A merchant with its own receiver. */
export type Shop = {
  projectId: bigint;
  receiver: Receiver;
  secret: string;
  /** Writes an event and returns it. */
  cause(): Promise<{ id: string; body: string }>;
  /** The delivery, once `attempts` attempts are recorded or it has ended. */
  afterAttempts(eventId: string, attempts: number): Promise<DeliveryState>;
  /** The delivery, once it is parked. */
  whenParked(eventId: string): Promise<DeliveryState>;
  /** The endpoint, once it has this status. */
  whenEndpointIs(status: EndpointStatus): Promise<WebhookEndpoint>;
  /** Sets the same URL again. Returns the new secret, which the receiver accepts as well. */
  setEndpointAgain(): Promise<string>;
  /** Advances the workers' clock and moves the project's timestamps in Postgres back. */
  letTimePass(ms: number): Promise<void>;
};

export type ShopBench = TestBench & {
  /** The clock of this bench's workers. */
  clock: Clock;
  certificate: { certificate: string; privateKey: string };
  caPem: string;
  authority: CertificateAuthority;
  openShop(): Promise<Shop>;
  /** The delivery, once `attempts` attempts are recorded or it has ended. */
  afterAttempts(eventId: string, attempts: number): Promise<DeliveryState>;
};

/** Opens a bench whose workers trust the receivers' certificates. */
export async function openShopBench(
  settings: Partial<WebhookWorkerSettings> = {},
  servers?: GivenServers,
): Promise<ShopBench> {
  const folder = mkdtempSync(join(tmpdir(), 'paywatch-ca-'));
  const authority = await createCertificateAuthority(folder);
  const certificate = await authority.issue();
  const bench = await openTestBench(
    { ca: authority.caPem, allowedHosts: new Set(['localhost']), ...settings },
    servers,
  );
  const receivers: Receiver[] = [];
  let passedMs = 0;
  const openShop = async (): Promise<Shop> => {
    const receiver = await startReceiver({ certificate });
    receivers.push(receiver);
    // Skips signature checks: after `letTimePass` every signature is too far in the future.
    receiver.always({ status: 200 });
    const projectId = await createProject(bench.store);
    const secret = await setEndpoint(bench.store, bench.sealer, projectId, receiver.url);
    receiver.setSecrets(secret);
    return {
      projectId,
      receiver,
      secret,
      cause: () => causeEvent(bench.store, projectId),
      whenParked: (eventId) => waitUntilParked(bench, eventId),
      whenEndpointIs: (status) => waitForEndpoint(bench, projectId, status),
      setEndpointAgain: async () => {
        const renewed = await setEndpoint(bench.store, bench.sealer, projectId, receiver.url);
        receiver.setSecrets(renewed);
        return renewed;
      },
      afterAttempts: (eventId, attempts) => waitForAttempts(bench, eventId, attempts),
      letTimePass: async (ms) => {
        passedMs += ms;
        await letTimePass(bench.store, projectId, ms);
      },
    };
  };
  return {
    ...bench,
    certificate,
    caPem: authority.caPem,
    authority,
    openShop,
    afterAttempts: (eventId, attempts) => waitForAttempts(bench, eventId, attempts),
    clock: { nowMs: () => Date.now() + passedMs },
    close: async () => {
      await bench.close();
      await Promise.all(receivers.map((receiver) => receiver.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

async function waitForAttempts(bench: TestBench, eventId: string, attempts: number): Promise<DeliveryState> {
  let delivery: DeliveryState | undefined;
  const areMade = async () => {
    delivery = await readDelivery(bench.store, eventId);
    return delivery && (delivery.attempts >= attempts || delivery.status !== 'pending') && delivery;
  };
  try {
    return await waitUntil(areMade, { what: `attempt ${attempts}`, everyMs: 20 });
  } catch (error) {
    const state = inspect(delivery);
    throw new Error([String(error), state, ...bench.logLines.slice(-20)].join('\n'), { cause: error });
  }
}

function waitUntilParked(bench: TestBench, eventId: string): Promise<DeliveryState> {
  return waitUntil(
    async () => {
      const delivery = await readDelivery(bench.store, eventId);
      return delivery && delivery.relayInMs > 60_000 && delivery;
    },
    { what: 'a parked delivery', everyMs: 20 },
  );
}

/** The endpoint's status is written a moment after the attempt. */
function waitForEndpoint(
  bench: TestBench,
  projectId: bigint,
  status: EndpointStatus,
): Promise<WebhookEndpoint> {
  return waitUntil(
    async () => {
      const endpoint = await getWebhookEndpoint(bench.store, projectId);
      return endpoint?.status === status && endpoint;
    },
    { what: `an endpoint that is ${status}`, everyMs: 20 },
  );
}
