import { createTestServers, type TestServers } from '@paywatch/dev/servers';
import { OPERATIONS, type Operation, type OperationId } from '@paywatch/domain/contract';
import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import type { Clock } from '@paywatch/runtime/process';
import { randomBase58, randomToken, sha256 } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import {
  byOperator,
  createApiKey,
  createSession,
  findLoginAccount,
  simpleKey,
  registerAccount,
} from '@paywatch/store/accounts';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import supertest, { type Response, type Test } from 'supertest';
import { afterAll, expect } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readApiConfig } from '../../src/config.ts';
import { openDependencies, type Dependencies } from '../../src/dependencies.ts';
import { createHttpServer } from '../../src/http-server.ts';

/** One replica of the real API over real servers. */
export type TestApi = {
  url: string;
  store: Store;
  dependencies: Dependencies;
  servers: TestServers;
  /** Every line that the API has logged. */
  logLines: string[];
  closing: AbortController;
  /** A request from an address of its own, so that limits of one test do not meet those of another. */
  call(method: Method, path: string, options?: CallOptions): Test;
  close(): Promise<void>;
};

type Method = 'get' | 'post' | 'patch' | 'delete' | 'put' | 'options' | 'head';
type CallOptions = { session?: string; apiKey?: string; body?: unknown; from?: string };
type Env = Record<string, string>;

const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

type ReplicaOptions = { env?: Env; beside?: Pick<TestApi, 'servers'>; clock?: Clock; redisUrl?: string };

/** A replica for all tests of a file: await it at the top, it is closed after the last one. */
export async function sharedApi(options: ReplicaOptions = {}): Promise<TestApi> {
  const api = await startApi(options);
  afterAll(async () => {
    await api.close();
    // Modules of test files stay loaded, and with them what they refer to: the log of every file would fill the heap.
    api.logLines.length = 0;
  });
  return api;
}

/** Starts a replica with a database of its own, or beside another one. */
export async function startApi(options: ReplicaOptions = {}): Promise<TestApi> {
  const servers = options.beside?.servers ?? (await createTestServers());
  const logLines: string[] = [];
  const closing = new AbortController();
  const config = readApiConfig(environment(servers, options));
  const logger = createLogger({
    service: 'api',
    level: 'trace',
    destination: { write: (line) => logLines.push(line) },
  });
  const dependencies = openDependencies(config, logger, createRegistry('api'), closing.signal, options.clock);
  const server = createHttpServer(createApp(dependencies)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (options.redisUrl === undefined) await redisReady(dependencies.store);
  return {
    url,
    store: dependencies.store,
    dependencies,
    servers,
    logLines,
    closing,
    call: (method, path, call) => send(url, method, path, call),
    close: async () => {
      closing.abort();
      server.close();
      server.closeAllConnections();
      await dependencies.store.close();
      if (!options.beside) await servers.close();
    },
  };
}

function environment(servers: TestServers, { env = {}, redisUrl }: { env?: Env; redisUrl?: string }): Env {
  return {
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: redisUrl ?? servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    PUBLIC_URL: 'https://pay.example',
    ENCRYPTION_KEYS,
    BTC_NODE_URL: 'http://node.example',
    LTC_NODE_URL: 'http://node.example',
    DATABASE_POOL_SIZE: '4',
    ...env,
  };
}

/** The client of the API fails at once while it is not connected, and the tests are faster than the connection. */
async function redisReady({ redis }: Store): Promise<void> {
  if (redis.status !== 'ready') await once(redis, 'ready');
}

function send(url: string, method: Method, path: string, options: CallOptions = {}): Test {
  const agent = supertest(url);
  const call = agent[method](path);
  call.set('X-Forwarded-For', options.from ?? randomAddress());
  if (options.session !== undefined) call.set('Authorization', `Bearer ${options.session}`);
  if (options.apiKey !== undefined) call.set('X-Api-Key', options.apiKey);
  return options.body === undefined ? call : call.send(options.body as object);
}

/** A public IPv4 address. */
export function randomAddress(): string {
  return `93.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** An account with a session, opened without the slow hash; its password matches nothing. */
export type TestAccount = {
  email: string;
  accountId: bigint;
  projectId: bigint;
  session: string;
  donateToken: string;
  overlayToken: string;
};

export async function openAccount({ store }: Pick<TestApi, 'store'>): Promise<TestAccount> {
  const email = `${randomBase58(8).toLowerCase()}@example.com`;
  const donateToken = randomToken(16);
  const overlayToken = randomToken(16);
  await registerAccount(store, { email, passwordHash: 'none', donateToken, overlayToken, trialDays: 14 });
  const account = await findLoginAccount(store, email, 'nowhere');
  if (!account) throw new Error('the account was just registered');
  const { accountId } = account;
  const session = await openSession({ store }, accountId, 'none');
  const [project] = await store.sql<
    { id: bigint }[]
  >`select id from projects where account_id = ${accountId} order by id`;
  if (!project) throw new Error('an account has a project');
  return { email, accountId, projectId: project.id, session, donateToken, overlayToken };
}

/** Another session of an account whose password hash is known. */
export async function openSession(
  { store }: Pick<TestApi, 'store'>,
  accountId: bigint,
  passwordHash: string,
  lifetimeSeconds = 3600,
): Promise<string> {
  const token = `ses_${randomToken(32)}`;
  const tokenHash = sha256(token);
  const client = { origin: 'nowhere', ip: null, userAgent: null };
  await createSession(store, { accountId, passwordHash, tokenHash, lifetimeSeconds, ...client });
  return token;
}

/** The token of a new API key. */
export async function openApiKey(
  { store }: Pick<TestApi, 'store'>,
  { projectId }: Pick<TestAccount, 'projectId'>,
  scope: 'full' | 'invoices' = 'full',
): Promise<string> {
  const keyPublic = randomBase58(9);
  const secret = randomBase58(32);
  const key = { ...simpleKey(scope), projectId, keyPublic, secretHash: sha256(secret) };
  await createApiKey(store, byOperator, key);
  return `pw_${keyPublic}_${secret}`;
}

/** Checks status and body against the contract: nothing is missing, and nothing is there that it does not name. */
export function expectAnswer(response: Response, id: OperationId, status: number): void {
  expect(response.status, response.text).toBe(status);
  const { responses }: Operation = OPERATIONS[id];
  expect(Object.keys(responses)).toContain(String(status));
  expect(responses[status]?.schema?.parse(response.body)).toEqual(response.body);
}

/** Checks that the response is the problem document with this code. */
export function expectProblem(response: Response, status: number, code: string): void {
  expect(response.status, response.text).toBe(status);
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(response.body).toMatchObject({ code, status, request_id: response.headers['x-request-id'] });
}
