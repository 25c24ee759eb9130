import { verifyWebhook } from '@paywatch/client';
import { freePort, type ServerCertificate } from '@paywatch/dev/servers';
import type { SeededRandom } from '@paywatch/dev/testing';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from './check-deliveries.ts';

/** A merchant whose server fails at random and records every webhook. */
export type FlakyMerchant = {
  arrivals: readonly Arrival[];
  /** Number of accepted outcomes. */
  countTaken(): number;
  /** Number of requests with an invalid signature. */
  countUnverified(): number;
  url(shop: number): string;
  /** From now on accepts every request at once. */
  recover(): void;
  stop(): Promise<void>;
};

type Mood = 'takes' | 'takes slowly' | 'takes and hangs up' | 'fails' | 'is busy' | 'hangs up';

type State = {
  arrivals: Arrival[];
  taken: Set<string>;
  unverified: number;
  isFlaky: boolean;
};

/** Starts the merchant's https server. `secrets` has one secret per shop, by its number. */
export async function startFlakyMerchant(options: {
  certificate: ServerCertificate;
  secrets: readonly string[];
  random: SeededRandom;
}): Promise<FlakyMerchant> {
  const { certificate, secrets, random } = options;
  const state: State = { arrivals: [], taken: new Set(), unverified: 0, isFlaky: true };
  const server = createServer(
    { cert: certificate.certificate, key: certificate.privateKey },
    (request, response) => {
      const mood = state.isFlaky ? moodOf(random) : 'takes';
      // A killed worker breaks its request: an incomplete one is not recorded.
      answer(state, secrets, { request, response, mood }).catch(() => response.destroy());
    },
  );
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    arrivals: state.arrivals,
    countTaken: () => state.taken.size,
    countUnverified: () => state.unverified,
    url: (shop) => `https://localhost:${port}/shops/${shop}`,
    recover: () => void (state.isFlaky = false),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Chooses the behaviour for a request: one in eight fails. */
function moodOf(random: SeededRandom): Mood {
  const fraction = random.fraction();
  if (fraction < 0.05) return 'fails';
  if (fraction < 0.08) return 'hangs up';
  if (fraction < 0.1) return 'takes slowly';
  if (fraction < 0.11) return 'takes and hangs up';
  return fraction < 0.12 ? 'is busy' : 'takes';
}

async function answer(
  state: State,
  secrets: readonly string[],
  { request, response, mood }: { request: IncomingMessage; response: ServerResponse; mood: Mood },
): Promise<void> {
  const rawBody = await text(request);
  const secret = secrets[Number(request.url?.split('/').at(-1))];
  const isTaken = mood.startsWith('takes');
  if (!(await isWrittenDown(state, { rawBody, header: request.headers['x-signature'], secret, isTaken })))
    return void response.writeHead(400).end();
  if (mood === 'takes slowly') await sleep(1500);
  if (mood.endsWith('hangs up')) return void response.destroy();
  if (mood === 'is busy') return void response.writeHead(503, { 'retry-after': '1' }).end();
  response.writeHead(isTaken ? 200 : 500).end();
}

async function isWrittenDown(
  state: State,
  webhook: {
    rawBody: string;
    header: string | string[] | undefined;
    secret: string | undefined;
    isTaken: boolean;
  },
): Promise<boolean> {
  const { rawBody, isTaken } = webhook;
  try {
    const event = await verifyWebhook(rawBody, String(webhook.header), webhook.secret);
    const outcome = `${event.data.invoice.public_id} ${event.type}`;
    const bodyHash = createHash('sha256').update(rawBody).digest('base64');
    state.arrivals.push({ outcome, eventId: event.id, bodyHash, isTaken });
    if (isTaken) state.taken.add(outcome);
    return true;
  } catch {
    state.unverified += 1;
    return false;
  }
}
