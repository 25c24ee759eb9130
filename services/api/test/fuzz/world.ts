import type { TestServers } from '@paywatch/dev/servers';
import { samplePicture } from '@paywatch/dev/testing';
import { buildEventBody } from '@paywatch/domain/webhooks';
import { hashPassword, randomBase58, randomToken, sha256 } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import {
  byOperator,
  createApiKey,
  createSession,
  findLoginAccount,
  registerAccount,
  simpleKey,
} from '@paywatch/store/accounts';
import { createPaymentLink } from '@paywatch/store/payment-links';
import { addPoolAddresses } from '@paywatch/store/pools';
import { rotateToken } from '@paywatch/store/projects';
import { createUpload } from '@paywatch/store/uploads';
import { createEndpoint, insertEvent } from '@paywatch/store/webhooks';
import { randomBytes } from 'node:crypto';
import { testInvoiceId } from '../../src/webhooks/test-invoice.ts';
import { testInvoice } from '../../src/webhooks/test-invoice.ts';

/** An account with what a request may name. */
export type FuzzAccount = {
  session: string;
  apiKey: string;
  keyPublic: string;
  donateToken: string;
  overlayToken: string;
  controlToken: string;
  eventId: string;
  endpointId: string;
  linkId: string;
  uploadId: string;
  linkToken: string;
};

/** Two accounts: one that lasts, and one whose session and key may be ended by any request. */
export type FuzzWorld = { lasting: FuzzAccount; expendable: FuzzAccount };

/** So many addresses that the fuzzer's own orders do not empty the pool. */
const ADDRESSES = 2000;

/** A store on the database that the fuzzer attacks. Close it. */
export function openFuzzStore(servers: TestServers): Store {
  return openStore({
    databaseUrl: servers.databaseUrl,
    redisUrl: servers.redisUrl,
    redisPrefix: servers.redisPrefix,
    role: 'api',
    applicationName: 'paywatch-fuzz',
    onRedisError: () => undefined,
  });
}

/** Writes the accounts into a fresh database, with wallets whose pools need no watcher. */
export async function createFuzzWorld(store: Store): Promise<FuzzWorld> {
  await store.sql`
    insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, mempool_read_at)
    values ('BTC', 'mainnet', 100, ${randomBytes(32)}, now(), now() + interval '1 day', now() + interval '1 day')`;
  return { lasting: await openAccount(store), expendable: await openAccount(store) };
}

/** The lines of the audit log that are kept. */
const AUDIT_LINES = 200;

/** Keeps the audit log short: a download costs what it contains, and every change of the fuzzer adds a line. */
export async function shortenAuditLog({ sql }: Store): Promise<void> {
  await sql`delete from audit_log where id <= (select max(id) - ${AUDIT_LINES} from audit_log)`;
}

async function openAccount(store: Store): Promise<FuzzAccount> {
  const email = `${randomBase58(8).toLowerCase()}@example.com`;
  const passwordHash = await hashPassword(randomToken(16));
  const [donateToken, overlayToken, controlToken] = [randomToken(16), randomToken(16), randomToken(16)];
  await registerAccount(store, { email, passwordHash, donateToken, overlayToken, trialDays: 14 });
  const account = await findLoginAccount(store, email, 'nowhere');
  if (account === null) throw new Error('the account was just registered');
  // Otherwise most requests to the operator's area would end before they are read.
  await store.sql`update accounts set is_operator = true where id = ${account.accountId}`;
  const session = `ses_${randomToken(32)}`;
  const opened = {
    accountId: account.accountId,
    passwordHash,
    origin: 'nowhere',
    ip: null,
    userAgent: null,
    lifetimeSeconds: 86_400,
  };
  await createSession(store, { ...opened, tokenHash: sha256(session) });
  const [project] = await store.sql<
    { id: bigint }[]
  >`select id from projects where account_id = ${account.accountId}`;
  if (!project) throw new Error('an account has a project');
  const [keyPublic, secret] = [randomBase58(9), randomBase58(32)];
  await createApiKey(store, byOperator, {
    projectId: project.id,
    keyPublic,
    secretHash: sha256(secret),
    ...simpleKey('full'),
  });
  await openWallet(store, project.id);
  await rotateToken(store, byOperator, project.id, 'control', controlToken);
  const endpointId = `we_${randomBase58(16)}`;
  await createEndpoint(store, byOperator, {
    projectId: project.id,
    publicId: endpointId,
    url: 'https://shop.example/',
    description: '',
    eventTypes: null,
    seal: () => randomBytes(60),
  });
  const eventId = `evt_${randomBase58(16)}`;
  const test = testInvoice('invoice.confirmed', testInvoiceId(eventId), 'https://pay.example', Date.now());
  const body = buildEventBody({
    id: eventId,
    type: 'invoice.confirmed',
    createdAtMs: Date.now(),
    isTest: true,
    ...test,
  });
  const event = { publicId: eventId, type: 'invoice.confirmed', txid: null, body, invoiceId: null };
  await insertEvent(store.sql, { ...event, projectId: project.id });
  return {
    session,
    apiKey: `pw_${keyPublic}_${secret}`,
    keyPublic,
    donateToken,
    overlayToken,
    controlToken,
    eventId,
    endpointId,
    uploadId: await openUpload(store, project.id),
    ...(await openLink(store, project.id)),
  };
}

/** A link that sells tickets for 0.0015 BTC. */
async function openLink(store: Store, projectId: bigint): Promise<Pick<FuzzAccount, 'linkId' | 'linkToken'>> {
  const [linkId, linkToken] = [`plink_${randomBase58(16)}`, randomToken(16)];
  await createPaymentLink(store, byOperator, {
    projectId,
    publicId: linkId,
    token: linkToken,
    title: 'Ticket',
    description: '',
    amount: 150_000n,
    priceAmount: null,
    priceCurrency: null,
    currencies: ['BTC'],
    isSingleUse: false,
    stock: null,
    returnUrl: null,
    expiresAt: null,
    isDisabled: false,
  });
  return { linkId, linkToken };
}

async function openUpload(store: Store, projectId: bigint): Promise<string> {
  const publicId = `upl_${randomBase58(16)}`;
  const upload = {
    kind: 'image',
    name: '',
    type: 'image/png',
    width: 12,
    height: 8,
    durationMs: null,
  } as const;
  await createUpload(store, byOperator, { ...upload, projectId, publicId, content: samplePicture('png') });
  return publicId;
}

async function openWallet(store: Store, projectId: bigint): Promise<void> {
  const [pool] = await store.sql<{ id: bigint }[]>`
    insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit)
    values ('BTC', ${randomBytes(8).toString('hex')}, ${XPUB}, 'p2wpkh', 0, ${projectId}, ${ADDRESSES})
    returning id`;
  if (!pool) throw new Error('a pool was inserted');
  const addresses = Array.from({ length: ADDRESSES - 1 }, (_, i) => ({
    index: i + 1,
    script: randomBytes(22),
    address: `bc1q-${pool.id}-${i + 1}`,
  }));
  await addPoolAddresses(store.sql, pool.id, addresses, ADDRESSES);
  await store.sql`update pool_addresses set state = 'free', history_asked = true where pool_id = ${pool.id}`;
  await store.sql`
    insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status)
    values (${projectId}, 'BTC', ${pool.id}, 'p2wpkh', 'bc1q-0', ${ADDRESSES}, 'verified')`;
}

/** BIP 84's test vector: verification derives from it. */
const XPUB =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';
