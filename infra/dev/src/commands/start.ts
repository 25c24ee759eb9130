/**
 * `npm start`: starts everything, runs the demo once per currency, and stays up until Ctrl-C. With `--once` it exits after the demo:
 * with 0 if every step succeeded, otherwise with 1. `--port N` sets the port, and fails if it is in use.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startControlServer, stateFolder } from '../stack/control.ts';
import { aborted, interruption } from './interruption.ts';
import { describeMail } from '../servers/mail-server.ts';
import { describeWebhook } from '../stack/receiver.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { readStartArguments } from '../stack/start-arguments.ts';
import { freePort } from '../servers/free-port.ts';
import { runDemo, type DemoMerchant } from '../stack/demo.ts';
import { createTerminal } from './terminal.ts';

const { isOnce, port, fault } = readStartArguments(process.argv.slice(2));
if (fault !== null) {
  console.error(fault);
  process.exit(2);
}
const interrupted = interruption();
const terminal = createTerminal();
const folder = createRunFolder();
let stack: Stack | undefined;
const DEFAULT_PORT = 8080;

const finished = run().catch(reportFailure);
const exitCode = await Promise.race([finished, aborted(interrupted).then(() => (isOnce ? 130 : 0))]);
// Servers that are still starting cannot be stopped; they are killed when this process exits.
if (stack !== undefined) await terminal.step('Stopping everything', stack.stop);
process.exit(exitCode);

async function run(): Promise<number> {
  const startedMs = performance.now();
  stack = await startStack({
    port: await choosePort(),
    folder,
    realBitcoin: true,
    onReady: terminal.done,
    say: (line) => terminal.line(`… ${line}`),
  });
  terminal.done(`Paywatch is up at ${stack.url}`, performance.now() - startedMs);
  await startControlServer(stack);
  const merchant = await runDemo(stack, terminal);
  terminal.line();
  terminal.done('Demo complete', performance.now() - startedMs);
  if (isOnce) return 0;
  printAddresses(stack, merchant);
  stack.receiver.subscribe((webhook) => terminal.line(describeWebhook(webhook)));
  stack.mail.subscribe((mail) => terminal.line(describeMail(mail)));
  await aborted(interrupted);
  return 0;
}

/** Takes another port if the default one is in use. Fails if the requested port is in use. */
async function choosePort(): Promise<number> {
  const free = await freePort(port ?? DEFAULT_PORT);
  if (port !== null && free !== port) throw new Error(`port ${port} is in use`);
  return free;
}

function reportFailure(error: unknown): number {
  if (interrupted.aborted) return 130;
  terminal.line();
  for (let cause = error; cause instanceof Error; cause = cause.cause) terminal.line(cause.message);
  terminal.line(`logs: ${relative(process.cwd(), folder)}`);
  return 1;
}

function printAddresses({ url, mail }: Stack, merchant: DemoMerchant): void {
  terminal.line(`
  API            ${url}/v1
  Documentation  ${url}/docs
  Account area   ${url}/account   ${merchant.email}   ${merchant.password}
  API key        ${merchant.apiKey}
  Paid           ${merchant.payUrls.join('\n                 ')}
  Donation link  ${merchant.donateUrl}
  Overlay        ${merchant.overlayUrl}
  Mails          ${mail.pageUrl}
  Logs           ${relative(process.cwd(), folder)}

  Ask for a payment, pay it and confirm it, from a second terminal:

    curl ${url}/v1/invoices -H 'X-Api-Key: ${merchant.apiKey}' -H 'Content-Type: application/json' \\
      -d '{"currency":"BTC","type":"order","expected_amount":"150000"}'
    npm run pay -- <address, pay_url or public_id> [amount]
    npm run mine -- [BTC | LTC] [blocks]

  Operate it:

    set -a; . .paywatch/env; set +a
    npx paywatch doctor

  Webhooks and mails are shown below as they arrive. Ctrl-C stops everything.
`);
}

/** Keeps the logs of the last five runs, for finding the reason of a failure. */
function createRunFolder(): string {
  const own = join(stateFolder, `run-${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`);
  mkdirSync(own, { recursive: true });
  const runs = readdirSync(stateFolder)
    .filter((name) => name.startsWith('run-'))
    .toSorted();
  for (const name of runs.slice(0, -5)) rmSync(join(stateFolder, name), { recursive: true, force: true });
  return own;
}
