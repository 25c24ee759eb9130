import { createTestServers, type TestServers } from '@paywatch/dev/servers';
import { serviceProgram } from '@paywatch/dev/stack';
import type { Currency } from '@paywatch/domain/values';
import { randomBase58, randomToken } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import {
  byOperator,
  createApiKey,
  findAccount,
  findApiKey,
  registerAccount,
  simpleKey,
} from '@paywatch/store/accounts';
import { invoiceCreation, type StoredSnapshot } from '@paywatch/store/invoices';
import { addPoolAddresses, registerWallet, verifyWallet } from '@paywatch/store/pools';
import type { AccountIds } from '@paywatch/store/subscriptions';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { runCli } from '../../src/cli.ts';

/** Entry point of `paywatch`. */
export const ENTRY = serviceProgram('cli');

/** Result of a run. */
export type Run = {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output as JSON. */
  json(): unknown;
  /** Parses standard output with a schema; throws if it does not match. */
  read<Shape>(shape: z.ZodType<Shape>): Shape;
};

export type Env = Record<string, string>;

type RunOptions = { env?: Env; stdin?: string };

/** The CLI with its own servers. */
export type Bench = {
  servers: TestServers;
  store: Store;
  env: Env;
  /** Runs a command in this process. `env` overrides the bench's environment; an empty value counts as unset. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs a command in a separate process, which takes a second. */
  spawn(args: readonly string[], options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
};

/** Opens a bench with a migrated database. */
export async function openBench(): Promise<Bench> {
  const servers = await createTestServers();
  const store = openStore({
    ...servers,
    role: 'worker',
    applicationName: 'cli-test',
    onRedisError: () => {},
  });
  const env = {
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    PUBLIC_URL: 'https://pay.example',
    ENCRYPTION_KEYS: encryptionKey('k1').text,
    BTC_NETWORK: 'regtest',
    LTC_NETWORK: 'regtest',
  };
  return {
    servers,
    store,
    env,
    run: (args, options = {}) => runHere(args, { ...env, ...options.env }, options.stdin ?? ''),
    spawn: (args, options = {}) => runProcess(args, { ...env, ...options.env }, options.stdin ?? ''),
    close: async () => {
      await store.close();
      await servers.close();
    },
  };
}

/** Runs a command in this process, without a bench. */
export async function runHere(args: readonly string[], env: Env = {}, input = ''): Promise<Run> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli(args, { env, stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return toRun(code, ...(await printed));
}

function toRun(code: number, stdout: string, stderr: string): Run {
  const json = (): unknown => JSON.parse(stdout);
  return { code, stdout, stderr, json, read: (shape) => shape.parse(json()) };
}

async function runProcess(args: readonly string[], env: Env, stdin: string): Promise<Run> {
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [ENTRY, ...args], { env: { ...inherited, ...env } });
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return toRun(Number(code), stdout, stderr);
}

/** A key in the format of ENCRYPTION_KEYS. */
export function encryptionKey(id: string): { id: string; key: Buffer; text: string } {
  const key = randomBytes(32);
  return { id, key, text: `${id}:${key.toString('base64')}` };
}

export type TestAccount = AccountIds & { email: string; donateToken: string; overlayToken: string };

/** A registered account that cannot log in. */
export async function openAccount({ store }: Bench, trialDays = 0): Promise<TestAccount> {
  const email = `${randomBase58(8).toLowerCase()}@example.com`;
  const tokens = { donateToken: randomToken(16), overlayToken: randomToken(16) };
  await registerAccount(store, { email, passwordHash: 'none', ...tokens, trialDays });
  const account = await findAccount(store, email);
  if (!account) throw new Error('the account was just registered');
  return { ...account, email, ...tokens };
}

/** An extended key that must never be printed. */
export const SECRET_XPUB = 'xpub-of-a-merchant';

/** A verified wallet whose pool is filled. */
export async function openWallet(
  { store }: Bench,
  projectId: bigint,
  currency: Currency,
  gapLimit = 20,
): Promise<void> {
  const wallet = await registerWallet(store, byOperator, {
    projectId,
    currency,
    keyId: randomBase58(8),
    xpub: SECRET_XPUB,
    scriptType: 'p2wpkh',
    branch: 0,
    derivationPath: "m/84'/0'/0'",
    verificationAddress: `first-${currency}`,
    gapLimit,
    startIndex: 0,
  });
  await verifyWallet(store, byOperator, projectId, wallet);
  const addresses = Array.from({ length: gapLimit - 1 }, (_, i) => ({
    index: i + 1,
    script: randomBytes(22),
    address: `address-${wallet.poolId}-${i + 1}`,
  }));
  await addPoolAddresses(store.sql, wallet.poolId, addresses, gapLimit);
  await openPool(store, wallet.poolId);
}

/** Another Bitcoin wallet of the project that takes effect tomorrow. */
export async function openPendingWallet({ store }: Bench, projectId: bigint): Promise<void> {
  await registerWallet(store, byOperator, {
    projectId,
    currency: 'BTC',
    keyId: randomBase58(8),
    xpub: SECRET_XPUB,
    scriptType: 'p2wpkh',
    branch: 0,
    derivationPath: null,
    verificationAddress: 'first-BTC-pending',
    gapLimit: 20,
    startIndex: 0,
  });
  await store.sql`
    update wallets set status = 'pending', verified_at = now(), effective_at = now() + interval '1 day'
    where project_id = ${projectId} and status = 'unverified'`;
}

/** Plays the leader of the chain: opens a pool whose addresses have no history. */
export async function openPool({ sql }: Pick<Store, 'sql'>, poolId: bigint): Promise<void> {
  await sql`
    update pool_addresses set state = 'free', history_asked = true where pool_id = ${poolId} and state = 'derived'`;
  await sql`update pools set history_checked_at = now() where id = ${poolId}`;
}

/** An open order of 150,000 sat or litoshi. */
export async function openOrder(
  { store, env }: Bench,
  { projectId }: TestAccount,
  currency: Currency,
  orderId: string,
): Promise<StoredSnapshot> {
  const create = invoiceCreation(store, {
    publicUrl: env['PUBLIC_URL'] ?? '',
    toleranceBps: 0,
    networks: { BTC: 'regtest', LTC: 'regtest' },
    quarantineSeconds: 86_400,
  });
  const outcome = await create({
    projectId,
    creator: { kind: 'api_key', apiKeyId: await openApiKey(store, projectId) },
    type: 'order',
    currency,
    expectedAmount: 150_000n,
    confirmationsRequired: 1,
    orderId,
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    ttlSeconds: 3600,
    requestHash: null,
    idempotencyKey: null,
  });
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.invoice;
}

async function openApiKey(store: Store, projectId: bigint): Promise<bigint> {
  const keyPublic = randomBase58(9);
  await createApiKey(store, byOperator, {
    projectId,
    keyPublic,
    secretHash: randomBytes(32),
    ...simpleKey('invoices'),
  });
  const key = await findApiKey(store, keyPublic);
  if (!key) throw new Error('the key was just created');
  return key.apiKeyId;
}

/** A chain whose watcher has just scanned the tip. */
export async function openChain({ store }: Bench, currency: Currency, height = 100): Promise<void> {
  await store.sql`
    insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, mempool_read_at, leader_id, leader_until)
    values (${currency}, 'regtest', ${height}, ${randomBytes(32)}, now(), now() + interval '1 hour', now(),
      'test', now() + interval '1 hour')`;
}
