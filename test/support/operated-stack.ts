import { recordCommands } from '@paywatch/dev/servers';
import {
  createApiClient,
  openMerchant,
  repositoryFolder,
  serviceProgram,
  type Merchant,
  type StackService,
  startStack,
  type Stack,
} from '@paywatch/dev/stack';
import { HANG_TIMEOUT_MS, waitUntil } from '@paywatch/dev/testing';

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startTraceCollector, type TraceCollector } from './trace-collector.ts';

/** One of each service, with the most verbose logs, and recordings of logs, traces and Redis commands. */
export type OperatedStack = {
  stack: Stack;
  services: readonly StackService[];
  merchant: Merchant;
  /** The secret of the merchant's webhooks. */
  webhookSecret: string;
  collector: TraceCollector;
  /** Every command sent to Redis, with its arguments. */
  commands: readonly string[];
};

/** Starts it with one merchant who sells for BTC and has a webhook endpoint; `parts` stops it. */
export async function startOperatedStack(
  parts: AsyncDisposableStack,
  endpointPath: string,
): Promise<OperatedStack> {
  const collector = await startTraceCollector(parts);
  const instrument = join(repositoryFolder, 'packages/runtime/src/observability/instrument.ts');
  const stack = await startStack({
    ownServers: true,
    archive: true,
    mweb: false,
    replicas: { api: 1 },
    env: {
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      NODE_OPTIONS: `--import=${instrument}`,
    },
  });
  parts.defer(stack.stop);
  const recording = await recordCommands(stack.redis.url);
  parts.defer(recording.stop);
  const call = createApiClient(stack.url);
  const merchant = await openMerchant(call, { number: 1, currency: 'BTC', gapLimit: 1000 });
  const endpoint = await call(
    {
      method: 'POST',
      path: '/v1/webhooks',
      body: { url: new URL(endpointPath, stack.receiver.url).href },
      as: { apiKey: merchant.apiKey },
    },
    z.object({ secret: z.string() }),
  );
  stack.receiver.setSecrets(endpoint.secret);
  const services = Object.values(stack.services).flat();
  const { commands } = recording;
  const operated = { stack, services, merchant, webhookSecret: endpoint.secret, collector, commands };
  // Requests succeed at once only after the pool has addresses.
  await placeOrder(operated, 'first-order-of-all');
  return operated;
}

const orderShape = z.object({ public_id: z.string(), address: z.string(), expected_amount: z.string() });
export type Order = z.infer<typeof orderShape>;

/** Places an order with this request id. Retries until the pool has addresses. */
export async function placeOrder({ stack, merchant }: OperatedStack, requestId: string): Promise<Order> {
  const body = JSON.stringify({
    currency: 'BTC',
    type: 'order',
    expected_amount: '250000',
    order_id: requestId,
  });
  const headers = {
    'content-type': 'application/json',
    'x-api-key': merchant.apiKey,
    'x-request-id': requestId,
  };
  const answer = await waitUntil(
    async () => {
      const response = await fetch(`${stack.url}/v1/invoices`, { method: 'POST', headers, body });
      const text = await response.text();
      return response.status === 201
        ? text
        : response.status === 503
          ? false
          : Promise.reject(new Error(text));
    },
    { what: `order ${requestId}`, everyMs: 100 },
  );
  return orderShape.parse(JSON.parse(answer));
}

/** All log lines of a service. */
export function logText({ stack }: OperatedStack): string {
  return readdirSync(stack.folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(stack.folder, name), 'utf8'))
    .join('');
}

const lineShape = z.object({ service: z.string(), msg: z.string(), request_id: z.string() });

/** The distinct pairs of service and message that were logged for a request. */
export function linesOfRequest(operated: OperatedStack, requestId: string): string[] {
  const lines = logText(operated)
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(requestId))
    .map((line) => lineShape.safeParse(JSON.parse(line)).data)
    .filter((line) => line?.request_id === requestId);
  return [...new Set(lines.map((line) => `${line?.service}: ${line?.msg}`))].toSorted();
}

/** Runs a `paywatch` command and returns its output. Throws if the exit code is not 0. */
export async function runPaywatch({ stack }: OperatedStack, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [serviceProgram('cli'), ...words], {
    env: { PATH: process.env['PATH'], ...stack.env },
    timeout: HANG_TIMEOUT_MS,
  });
  return stdout;
}
