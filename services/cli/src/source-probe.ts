import { NETWORKS, networkOfGenesis, NODE_CHAIN_NAMES, type Network } from '@paywatch/domain/chain';
import { z } from 'zod';
import type { ConfiguredSource } from './config.ts';
import { readMessage } from './terminal/failure.ts';

/** State of a chain as a node or an Esplora server reports it. */
export type SourceState = {
  /** Null for an unsupported network. */
  network: Network | null;
  height: number;
  headers: number;
  isInitialDownload: boolean;
};

/** Result of a probe. `name` is the host, without credentials. */
export type SourceProbe = Pick<ConfiguredSource, 'kind'> & { name: string } & (
    { state: SourceState } | { error: string }
  );

const TIMEOUT_MS = 5000;

/** Asks a source for its network and tip, with a timeout of five seconds per request. Never rejects. */
export async function probeSource(source: ConfiguredSource): Promise<SourceProbe> {
  const { kind, url } = source;
  try {
    return { kind, name: url.host, state: await (kind === 'node' ? askNode(url) : askEsplora(source)) };
  } catch (error) {
    return { kind, name: url.host, error: readMessage(error) };
  }
}

const nodeAnswer = z.object({
  result: z
    .object({
      chain: z.string(),
      blocks: z.number(),
      headers: z.number(),
      initialblockdownload: z.boolean().optional(),
    })
    .nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
});

async function askNode(url: URL): Promise<SourceState> {
  const response = await request(new URL(url.pathname, url.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(url) },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'getblockchaininfo', params: [] }),
  });
  if (response.status === 401 || response.status === 403)
    throw new Error('refused the user name or password');
  const parsed = nodeAnswer.safeParse(await response.json());
  if (!parsed.success) throw new Error('the response is not that of a node');
  const { result, error } = parsed.data;
  if (!result) throw new Error(error?.message ?? 'the response has no result');
  return {
    network: NETWORKS.find((network) => NODE_CHAIN_NAMES[network].includes(result.chain)) ?? null,
    height: result.blocks,
    headers: result.headers,
    isInitialDownload: result.initialblockdownload ?? false,
  };
}

async function askEsplora({ currency, url }: ConfiguredSource): Promise<SourceState> {
  const [tip, genesis] = await Promise.all([
    askText(url, '/blocks/tip/height'),
    askText(url, '/block-height/0'),
  ]);
  const height = z.coerce.number().int().min(0).safeParse(tip);
  if (!height.success) throw new Error('the response is not that of an Esplora server');
  return {
    network: networkOfGenesis(currency, genesis),
    height: height.data,
    headers: height.data,
    isInitialDownload: false,
  };
}

async function askText(base: URL, path: string): Promise<string> {
  const url = new URL(base.origin + base.pathname.replace(/\/+$/, '') + path);
  const response = await request(url, { headers: authorization(base) });
  if (!response.ok) throw new Error(`responded with status ${response.status} to ${path}`);
  return (await response.text()).trim();
}

/** fetch refuses URLs with credentials, so they are sent as a header. Redirects are refused so that they do not leak. */
function request(url: URL, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
