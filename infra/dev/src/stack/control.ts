import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { freePort } from '../servers/free-port.ts';
import { payTarget, payRequest, type PaidTarget } from '../wallet/pay-target.ts';
import { repositoryFolder } from './processes.ts';
import type { Stack } from './stack.ts';
import { isRunning } from '../testing/temporary-folder.ts';

/** What other commands need to reach the running stack. */
const stateShape = z.object({ pid: z.number(), url: z.string(), controlUrl: z.string(), token: z.string() });
type State = z.infer<typeof stateShape>;

/** The folder of the running stack's state and logs, in the repository but ignored by git. */
export const stateFolder = join(repositoryFolder, '.paywatch');
const stateFile = join(stateFolder, 'stack.json');

const mineRequest = z.object({
  currency: z.enum(['BTC', 'LTC']).optional(),
  count: z.number().int().min(1).max(1000),
});
const minedShape = z.record(z.string(), z.number());
const paidShape = z.object({
  txid: z.string(),
  currency: z.string(),
  amount: z.string(),
  address: z.string(),
});

/** The environment of `npx paywatch` for the running stack, as a shell script. */
const environmentFile = join(stateFolder, 'env');

/** The server through which `npm run pay` and `npm run mine` reach the payers in the stack's process. */
export type ControlServer = { stop(): Promise<void> };

/** Starts it on a free port of 127.0.0.1 and writes its URL and its token to the state file. */
export async function startControlServer(
  stack: Pick<Stack, 'url' | 'payers' | 'env'>,
): Promise<ControlServer> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    answer(stack, token, request, response).catch((error: unknown) => {
      send(response, 400, { error: error instanceof Error ? error.message : String(error) });
    });
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  mkdirSync(stateFolder, { recursive: true });
  const state: State = { pid: process.pid, url: stack.url, controlUrl: `http://127.0.0.1:${port}`, token };
  writeFileSync(stateFile, JSON.stringify(state), { mode: 0o600 });
  writeFileSync(environmentFile, shellAssignments(stack.env), { mode: 0o600 });
  process.on('exit', forgetState);
  return { stop: () => close(server) };
}

function shellAssignments(env: Readonly<Record<string, string>>): string {
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  return lines.join('');
}

/** Makes the running stack pay. Throws with a message for the user if no stack is running or the payment fails. */
export function askToPay(
  target: string,
  options: { amount?: string; currency?: string },
): Promise<PaidTarget> {
  return ask('/pay', { target, ...options }, paidShape);
}

/** Makes the running stack mine, on both chains without a currency. Returns the new heights. */
export function askToMine(request: z.infer<typeof mineRequest>): Promise<Record<string, number>> {
  return ask('/mine', request, minedShape);
}

async function answer(
  { url, payers }: Pick<Stack, 'url' | 'payers'>,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isAuthorized(request, token)) return send(response, 401, { error: 'wrong token' });
  const body = await json(request);
  if (request.url === '/pay')
    return send(response, 200, await payTarget({ url, payers }, payRequest.parse(body)));
  if (request.url === '/mine') return send(response, 200, await mine(payers, mineRequest.parse(body)));
  return send(response, 404, { error: 'no such door' });
}

async function mine(
  payers: Stack['payers'],
  { currency, count }: z.infer<typeof mineRequest>,
): Promise<Record<string, number>> {
  const heights: Record<string, number> = {};
  for (const payer of Object.values(payers)) {
    if (currency !== undefined && payer.currency !== currency) continue;
    await payer.mine(count);
    heights[payer.currency] = await payer.getHeight();
  }
  return heights;
}

async function ask<T>(path: string, body: object, shape: z.ZodType<T>): Promise<T> {
  const { controlUrl, token } = readState();
  const response = await fetch(controlUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const answered: unknown = await response.json();
  if (!response.ok) throw new Error(z.object({ error: z.string() }).parse(answered).error);
  return shape.parse(answered);
}

function readState(): State {
  const state = existsSync(stateFile)
    ? stateShape.safeParse(JSON.parse(readFileSync(stateFile, 'utf8')))
    : undefined;
  if (state?.success !== true || !isRunning(state.data.pid)) {
    throw new Error('no stack is running: run "npm start" first, and this command in a second terminal');
  }
  return state.data;
}

/** Deletes the state file, unless a later stack has overwritten it. */
function forgetState(): void {
  const state = existsSync(stateFile)
    ? stateShape.safeParse(JSON.parse(readFileSync(stateFile, 'utf8')))
    : undefined;
  if (state?.success !== true || state.data.pid !== process.pid) return;
  for (const file of [stateFile, environmentFile]) rmSync(file, { force: true });
}

function isAuthorized(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function close(server: Server): Promise<void> {
  forgetState();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
