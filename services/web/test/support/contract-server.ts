import { OPERATIONS, type Operation, type OperationId, type PageContent } from '@paywatch/domain/contract';
import { accentStyleSheet } from '@paywatch/domain/accent';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { distFolder } from '../../build/vite-options.ts';
import { loadRenderer } from './renderer.ts';

/** One request to an operation of the contract, its body parsed as JSON. */
export type Call = {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** The body as it was sent. */
  file: Buffer;
  request: IncomingMessage;
};
/** Status and body; successful bodies are validated against the contract before they are sent. */
export type Answer = { status: number; body: unknown; headers?: Record<string, string> };
export type Handlers = Partial<Record<OperationId, (call: Call) => Answer | Promise<Answer>>>;
export type StreamHandlers = Partial<Record<OperationId, (call: Call, response: ServerResponse) => void>>;
/** The page at a path, as the API would render it. */
export type PageReader = (
  path: string,
  method: string,
  fields: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
) => PageContent | { redirect: string } | null;

export type ContractServer = { url: string; close(): Promise<void> };

/**
 * Starts an HTTP server that serves the build and handles the contract's operations as each test defines. It rejects
 * any response that violates the contract.
 */
export async function startContractServer(parts: {
  handlers: Handlers;
  streams: StreamHandlers;
  pages: PageReader;
}): Promise<ContractServer> {
  const { renderPage } = await loadRenderer();
  const operations = [...Object.entries(parts.handlers), ...Object.entries(parts.streams)].map(([id]) =>
    matcherOf(id as OperationId),
  );
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const matched = operations
      .map((match) => match(request.method ?? 'GET', url.pathname))
      .find((hit) => hit !== null);
    const file = await readBytes(request);
    const text = file.toString();
    if (matched) {
      const call = { params: matched.params, query: url.searchParams, body: parseBody(text), file, request };
      const stream = parts.streams[matched.id];
      if (stream) stream(call, response);
      else
        sendAnswer(
          response,
          matched.id,
          (await parts.handlers[matched.id]?.(call)) ?? { status: 500, body: null },
        );
    } else if (url.pathname.startsWith('/assets/') || url.pathname === '/embed.js')
      await sendAsset(response, url.pathname);
    else sendPage(request, response, url, text);
  };
  const sendPage = (request: IncomingMessage, response: ServerResponse, url: URL, text: string) => {
    const fields = Object.fromEntries(new URLSearchParams(text));
    const content = parts.pages(url.pathname, request.method ?? 'GET', fields, url.searchParams);
    if (content !== null && 'redirect' in content) {
      response.writeHead(303, { Location: content.redirect }).end();
      return;
    }
    const { html, headers } = renderPage(content ?? NOT_FOUND, {
      wantedLanguage: url.searchParams.get('lang'),
      acceptLanguage: request.headers['accept-language'] ?? null,
      nowMs: Date.now(),
    });
    const isFound = content !== null && content.page !== 'problem';
    response.writeHead(isFound ? 200 : 404, { ...headers, 'Content-Type': 'text/html' }).end(html);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const NOT_FOUND: PageContent = {
  page: 'problem',
  problem: { code: 'invoice_not_found', requestId: 'req_test', retryAfterSeconds: null, errors: [] },
};

function matcherOf(id: OperationId) {
  const { method, path } = OPERATIONS[id];
  const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return (asked: string, pathname: string) => {
    const match = asked.toLowerCase() === method ? pattern.exec(pathname) : null;
    return match && { id, params: { ...match.groups } };
  };
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A form submission or an empty body; the handlers do not read these.
    return undefined;
  }
}

function sendAnswer(response: ServerResponse, id: OperationId, { status, body, headers = {} }: Answer): void {
  const { responses }: Operation = OPERATIONS[id];
  const checked = status < 400 ? (responses[status]?.schema?.parse(body) ?? null) : body;
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'Content-Type': type, ...headers }).end(JSON.stringify(checked));
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

async function sendAsset(response: ServerResponse, pathname: string): Promise<void> {
  const [, color] = /^\/assets\/accent-([0-9a-f]{6})\.css$/.exec(pathname) ?? [];
  if (color !== undefined) {
    response.writeHead(200, { 'Content-Type': 'text/css' }).end(accentStyleSheet(`#${color}`));
    return;
  }
  const bytes = await readFile(`${distFolder}/client${pathname}`).catch(() => null);
  if (bytes === null) response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': TYPES[extname(pathname)] ?? 'text/plain' }).end(bytes);
}
