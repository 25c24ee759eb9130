import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';

/** A page of a shop, of another site than the payment pages. */
export type Shop = { origin: string; close(): Promise<void> };

/**
 * Starts a shop whose page has the given body. If `isStrict`, its own policy is as strict as one can be that loads the button and frames
 * the payment pages of `payUrl`.
 */
export async function startShop(payUrl: string, body: string, { isStrict = true } = {}): Promise<Shop> {
  const policy = [
    "default-src 'none'",
    `script-src ${payUrl}`,
    `frame-src ${payUrl}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      ...(isStrict && { 'Content-Security-Policy': policy.join('; ') }),
    });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><body>${body}</body></html>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // Another host name than that of the payment pages, so that the browser treats them as two sites.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What a shop page has seen: events of the button, and messages of any window. */
export type Seen = { events: { type: string; detail: unknown; at: string }[]; messages: unknown[] };

/** Records in `window.seen` what every page of the context sees. */
export async function recordEvents(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== top) return;
    const seen: Seen = { events: [], messages: [] };
    Object.assign(window, { seen });
    for (const type of ['opened', 'status', 'paid', 'closed'])
      document.addEventListener(`paywatch:${type}`, (event) => {
        const { detail } = event as CustomEvent<unknown>;
        seen.events.push({ type, detail, at: (event.target as Element).id ?? 'document' });
      });
    addEventListener('message', ({ data }) => seen.messages.push(data));
  });
}
