import { z } from 'zod';
import { readMessage } from './failure.ts';

/** What a node says of its chain. */
export type NodeState = {
  /** What it calls its network: see NODE_CHAIN_NAMES. */
  chain: string;
  height: number;
  headers: number;
  isInitialDownload: boolean;
};

/** Who was asked, without credentials, and what was answered. */
export type NodeProbe = { name: string } & ({ state: NodeState } | { error: string });

const TIMEOUT_MS = 5000;

const answerSchema = z.object({
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

/** Asks a node of either currency one question, within five seconds. Never rejects. */
export async function probeNode(url: URL): Promise<NodeProbe> {
  try {
    return { name: url.host, state: await askNode(url) };
  } catch (error) {
    return { name: url.host, error: readMessage(error) };
  }
}

async function askNode(url: URL): Promise<NodeState> {
  const response = await fetch(new URL(url.pathname, url.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(url) },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'getblockchaininfo', params: [] }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 401 || response.status === 403) throw new Error('refuses the user or password');
  const parsed = answerSchema.safeParse(await response.json());
  if (!parsed.success) throw new Error('does not answer as a node does');
  const { result, error } = parsed.data;
  if (!result) throw new Error(error?.message ?? 'answers without a result');
  return {
    chain: result.chain,
    height: result.blocks,
    headers: result.headers,
    isInitialDownload: result.initialblockdownload ?? false,
  };
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
