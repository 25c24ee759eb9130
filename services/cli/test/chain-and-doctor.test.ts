import { startBitcoinNode, type ChainNode } from '@paywatch/dev/nodes';
import {
  freePort,
  startMailServer,
  startRedis,
  startSecuredRedis,
  type MailServer,
} from '@paywatch/dev/servers';
import { CHAINS } from '@paywatch/domain/chain';
import { byOperator } from '@paywatch/store/accounts';
import { saveSourceReports, type SourceReport } from '@paywatch/store/chain';
import { connectRedis, createKeys, saveClientWindow } from '@paywatch/store/redis';
import { endpointSecretPlace, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { createSealer } from '@paywatch/runtime/security';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { judgeVisit } from '../src/doctor/check-public-url.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  encryptionKey,
  openAccount,
  openBench,
  openChain,
  openWallet,
  type Bench,
  type Env,
  type Run,
} from './support/bench.ts';
import { openPublicSite, type PublicSite } from './support/public-site.ts';

let bench: Bench;
let node: ChainNode;
let mail: MailServer;
let pay: PublicSite;
beforeAll(async () => {
  [bench, node, mail, pay] = await Promise.all([
    openBench(),
    startBitcoinNode(),
    startMailServer(),
    openPublicSite(),
  ]);
  await openChain(bench, 'BTC', 0);
});
afterAll(async () => {
  await bench.close();
  await node.stop();
  await mail.stop();
  await pay.close();
});

const mailEnv = () => ({ MAIL_URL: mail.url, MAIL_FROM: 'no-reply@pay.example' });
const doctor = (env: Env = {}) =>
  bench.run(['doctor', '--json'], { env: { BTC_NODE_URL: node.url, PUBLIC_URL: '', ...env } });

const checkShape = z.object({
  check: z.string(),
  status: z.string(),
  detail: z.string(),
  advice: z.string().nullable(),
});
const report = z.object({ checks: z.array(checkShape) });
const chainList = z.object({ chains: z.array(z.looseObject({ currency: z.string() })) });

function finding(run: Run, check: string): z.infer<typeof checkShape> {
  const { checks } = run.read(report);
  const found = checks.find((each) => each.check === check);
  if (!found) throw new Error(`no check ${check} among ${checks.map((each) => each.check).join(', ')}`);
  return found;
}

/** The endpoints of an Esplora server that the doctor calls. */
async function serveEsplora(genesis: string | undefined): Promise<{ server: Server; address: string }> {
  const answers = new Map([
    ['/api/blocks/tip/height', '7'],
    ['/api/block-height/0', genesis],
  ]);
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { server, address: `127.0.0.1:${port}` };
}

describe('chain status', () => {
  test('shows the watcher’s tip and the node’s tip without credentials', async () => {
    const env = { BTC_NODE_URL: node.url };
    const [forPrograms, forPeople] = await Promise.all([
      bench.run(['chain', 'status', '--json'], { env }),
      bench.spawn(['chain', 'status'], { env }),
    ]);
    expect(forPrograms.read(chainList).chains).toMatchObject([
      {
        currency: 'BTC',
        network: 'regtest',
        tip: { height: 0 },
        fresh: true,
        watcher: true,
        sources: [{ kind: 'node', name: new URL(node.url).host, network: 'regtest', height: 0 }],
      },
    ]);
    expect(forPeople.stdout).toContain('BTC regtest');
    expect(forPrograms.stdout + forPeople.stdout).not.toContain(node.rpcPassword);
  });

  test('reports an unavailable node with exit code 0', async () => {
    const run = await bench.run(['chain', 'status', '--json'], {
      env: { LTC_NODE_URL: `http://u:hidden@127.0.0.1:${await freePort()}/` },
    });
    expect(run.code).toBe(0);
    const litecoin = run.read(chainList).chains.find(({ currency }) => currency === 'LTC');
    expect(litecoin).toMatchObject({
      followed: false,
      sources: [
        {
          kind: 'node',
          name: expect.stringContaining('127.0.0.1:'),
          error: expect.stringContaining('ECONNREFUSED'),
        },
      ],
    });
    expect(run.stdout).not.toContain('hidden');
  });
});

describe('doctor', () => {
  test('passes when everything is in place', async () => {
    const run = await bench.spawn(['doctor', '--json'], {
      env: { BTC_NODE_URL: node.url, PUBLIC_URL: pay.url, NODE_EXTRA_CA_CERTS: pay.caFile, ...mailEnv() },
    });
    const { checks } = run.read(report);
    // The free space on the disk of the tests is no matter of the doctor.
    const judged = checks.filter(({ check }) => check !== 'Disk');
    expect(judged.map(({ check, status }) => [check, status])).toEqual(
      [
        'Node',
        'Postgres',
        'Redis',
        `BTC node ${new URL(node.url).host}`,
        'Encryption keys',
        'Mail',
        'Clock',
        'Schema',
        'Stored secrets',
        'BTC watcher',
        'Webhook workers',
        'Address limits',
        'Public URL',
        'Clients',
      ].map((check) => [check, 'ok']),
    );
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const secret of [
      node.rpcPassword,
      bench.env['ENCRYPTION_KEYS'],
      new URL(bench.servers.databaseUrl).password,
    ])
      expect(run.stdout).not.toContain(secret || 'no secret');
  });

  test('says what a browser would meet at PUBLIC_URL', async () => {
    const visit = async (url: string) => finding(await doctor({ PUBLIC_URL: url }), 'Public URL');
    expect(await visit(pay.url)).toMatchObject({
      status: 'failed',
      advice: expect.stringContaining('Browsers refuse'),
    });
    expect(await visit(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await visit(node.url)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('not as Paywatch'),
    });
    expect(await visit('')).toMatchObject({ status: 'skipped' });
    const env = { PUBLIC_URL: pay.expiredUrl, NODE_EXTRA_CA_CERTS: pay.caFile };
    expect(finding(await bench.spawn(['doctor', '--json'], { env }), 'Public URL')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('expired'),
    });
  });

  test.each([
    ['http://pay.example', { daysLeft: null }, 'warning', 'has no TLS'],
    ['http://127.0.0.1:8080', { daysLeft: null }, 'ok', '127.0.0.1:8080'],
    ['https://pay.example', { daysLeft: 13 }, 'warning', 'expires in 13 days'],
    ['https://pay.example', { daysLeft: 14 }, 'ok', 'valid for 14 days'],
    ['https://pay.example', { daysLeft: 60, isPaywatch: false, status: 502 }, 'warning', 'responds with 502'],
  ])('judges a visit at %s, %j', (url, visit, status, detail) => {
    expect(judgeVisit(new URL(url), { isPaywatch: true, status: 200, ...visit })).toMatchObject({
      status,
      detail: expect.stringContaining(detail),
    });
  });

  test('says what does not work without mail, and why a server accepts none', async () => {
    expect(finding(await doctor(), 'Mail')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('reset a password'),
      advice: 'Set MAIL_URL and MAIL_FROM.',
    });
    const unreachable = `smtp://user:hidden@127.0.0.1:${await freePort()}`;
    const run = await doctor({ ...mailEnv(), MAIL_URL: unreachable });
    expect(finding(run, 'Mail')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('ESOCKET'),
    });
    expect(run.stdout).not.toContain('hidden');
    const senderless = await doctor({ MAIL_URL: mail.url });
    expect(finding(senderless, 'Mail').detail).toContain('MAIL_FROM');
  });

  test('gives advice when nothing is configured', async () => {
    const run = await doctor({ DATABASE_URL: '', REDIS_URL: '', ENCRYPTION_KEYS: '', BTC_NODE_URL: '' });
    expect(run.code).toBe(1);
    for (const [check, variable] of [
      ['Postgres', 'DATABASE_URL'],
      ['Redis', 'REDIS_URL'],
      ['Nodes', 'BTC_NODE_URL'],
      ['Encryption keys', 'ENCRYPTION_KEYS'],
    ] as const) {
      expect(finding(run, check)).toMatchObject({ status: 'failed' });
      expect(finding(run, check).advice).toContain(variable);
    }
    expect(finding(run, 'Schema').status).toBe('skipped');
  });

  test('names the servers that do not respond', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    const run = await doctor({
      DATABASE_URL: `postgres://u:hidden@${nobody}/paywatch`,
      REDIS_URL: `redis://:hidden@${nobody}`,
      BTC_NODE_URL: `http://u:hidden@${nobody}/`,
    });
    const servers = { Postgres: 'DATABASE_URL', Redis: 'REDIS_URL', [`BTC node ${nobody}`]: 'BTC_NODE_URL' };
    for (const [check, variable] of Object.entries(servers)) {
      const { status, detail, advice } = finding(run, check);
      expect(status).toBe('failed');
      expect(detail).toContain('ECONNREFUSED');
      expect(`${detail} ${advice}`).toContain(variable);
    }
    expect(run.stdout).not.toContain('hidden');
  });

  test('names sources with invalid data, less work, a wrong clock, or that may be one server', async () => {
    const fine = {
      currency: 'BTC',
      fault: null,
      invalidData: null,
      isCutOff: false,
      skewMs: 12,
      duplicateOf: null,
    } as const;
    const reports: SourceReport[] = [
      { ...fine, name: 'fine:1' },
      { ...fine, name: 'liar:1', fault: 'is left alone', invalidData: 'block 7 does not meet its target' },
      { ...fine, name: 'cut-off:1', isCutOff: true },
      { ...fine, name: 'down:1', fault: 'does not answer within 5 s' },
      { ...fine, name: 'behind:1', skewMs: -90_000 },
      { ...fine, name: 'twin:1', duplicateOf: 'twin:2' },
    ];
    await saveSourceReports(bench.store.sql, reports);
    const run = await doctor();
    await bench.store.sql`delete from chain_sources`;
    const shown = (name: string) => finding(run, `BTC source ${name}:1`);
    expect(shown('fine')).toMatchObject({ status: 'ok', detail: 'its clock is 12 ms ahead of Postgres' });
    expect(shown('liar')).toMatchObject({
      status: 'failed',
      detail: 'sent invalid chain data: block 7 does not meet its target',
    });
    expect(shown('cut-off')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('less work'),
    });
    expect(shown('down')).toMatchObject({ status: 'warning', detail: 'does not answer within 5 s' });
    expect(shown('behind')).toMatchObject({
      status: 'warning',
      detail: 'its clock is 90000 ms behind Postgres',
    });
    expect(shown('twin')).toMatchObject({ status: 'warning', detail: 'may be the same server as twin:2' });
  });

  test('warns when all requests of the last ten minutes came from one address', async () => {
    const keys = createKeys('doctor-clients');
    const { redis } = bench.store;
    const doctorOf = () => doctor({ REDIS_PREFIX: keys.prefix });
    expect(finding(await doctorOf(), 'Clients')).toMatchObject({ status: 'ok' });
    await saveClientWindow({ redis, keys }, 'one', { requests: 60, network: '192.0.2.1' });
    await saveClientWindow({ redis, keys }, 'other', { requests: 60, network: '192.0.2.1' });
    const warned = finding(await doctorOf(), 'Clients');
    expect(warned).toMatchObject({ status: 'warning' });
    expect(warned.detail).toBe('all 120 requests in the last ten minutes came from 192.0.2.1');
    expect(warned.advice).toContain('TRUSTED_PROXIES');
    await saveClientWindow({ redis, keys }, 'third', { requests: 1, network: '192.0.2.2' });
    expect(finding(await doctorOf(), 'Clients')).toMatchObject({ status: 'ok' });
  });

  test('warns about a remote Redis without password and TLS, but not about one on loopback', async () => {
    const { port, pathname } = new URL(bench.servers.redisUrl);
    // The same Redis under a name that does not look like loopback.
    const elsewhere = `redis://[::ffff:127.0.0.1]:${port}${pathname}`;
    const found = finding(await doctor({ REDIS_URL: elsewhere }), 'Redis');
    expect(found).toMatchObject({ status: 'warning' });
    expect(found.detail).toContain('REDIS_URL has no password, REDIS_URL has no TLS');
    expect(found.advice).toContain('rediss://');
    expect(finding(await doctor(), 'Redis').status).toBe('ok');
    const secured = await startSecuredRedis();
    try {
      const run = await doctor({ REDIS_URL: secured.url });
      expect(finding(run, 'Redis').status).toBe('ok');
      expect(run.stdout).not.toContain(secured.password);
    } finally {
      await secured.stop();
    }
  });

  test('fails for a Redis that may evict keys', async () => {
    const redis = await startRedis({ own: true });
    const client = connectRedis(redis.url, 'worker', () => {});
    try {
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      const run = await doctor({ REDIS_URL: redis.url });
      expect(finding(run, 'Redis').status).toBe('failed');
      expect(finding(run, 'Redis').detail).toContain('allkeys-lru');
      expect(finding(run, 'Redis').advice).toContain('noeviction');
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });

  test('reports a wrong network and a wrong password differently from an unavailable node', async () => {
    const wrongPassword = new URL(node.url);
    wrongPassword.password = 'wrong';
    const [network, password] = await Promise.all([
      doctor({ BTC_NETWORK: 'mainnet' }),
      doctor({ BTC_NODE_URL: wrongPassword.href }),
    ]);
    const check = `BTC node ${new URL(node.url).host}`;
    expect(finding(network, check)).toMatchObject({ status: 'failed', detail: 'is on regtest' });
    expect(finding(network, check).advice).toContain('BTC_NETWORK');
    expect(finding(network, 'BTC watcher').status).toBe('failed');
    expect(finding(password, check)).toMatchObject({
      status: 'failed',
      detail: 'refused the user name or password',
    });
  });

  test('detects an Esplora server of another chain by its genesis block', async () => {
    const genesis = {
      bitcoin: CHAINS.BTC.networks.regtest.genesisHashes[0],
      litecoin: CHAINS.LTC.networks.regtest.genesisHashes[0],
    };
    const servers = await Promise.all([serveEsplora(genesis.bitcoin), serveEsplora(genesis.litecoin)]);
    try {
      const [right, wrong] = servers.map(({ address }) => address);
      const run = await doctor({
        BTC_NODE_URL: '',
        BTC_ESPLORA_URL: `http://${right}/api,http://${wrong}/api/`,
      });
      expect(finding(run, `BTC esplora ${right}`)).toMatchObject({
        status: 'ok',
        detail: 'regtest, block 7',
      });
      expect(finding(run, `BTC esplora ${wrong}`).status).toBe('failed');
      expect(finding(run, 'BTC sources')).toMatchObject({
        status: 'warning',
        detail: '2 Esplora servers, no node',
      });
    } finally {
      for (const { server } of servers) server.close();
    }
  });

  test('finds secrets without a key, and webhooks that no worker sends', async () => {
    const { projectId } = await openAccount(bench);
    const secretSealed = createSealer([encryptionKey('gone')]).seal(
      'whsec_test',
      endpointSecretPlace(projectId),
    );
    await setWebhookEndpoint(bench.store, byOperator, {
      projectId,
      url: 'https://shop.example/',
      secretSealed,
    });
    await bench.store.sql`
      with event as (
        insert into events (public_id, project_id, type, body) values ('evt_2test', ${projectId}, 'invoice.expired', '{}')
        returning id
      )
      insert into deliveries (event_id, project_id, relay_at) select id, ${projectId}, now() - interval '1 hour' from event`;
    try {
      const run = await doctor();
      expect(run.code).toBe(1);
      expect(finding(run, 'Stored secrets')).toMatchObject({ status: 'failed' });
      expect(finding(run, 'Webhook workers')).toMatchObject({ status: 'failed' });
    } finally {
      await bench.store.sql`delete from deliveries`;
      await bench.store.sql`delete from webhook_endpoints`;
    }
  });

  test('names accounts that have reached their address limit', async () => {
    const { projectId: limited, email } = await openAccount(bench, 14);
    await openWallet(bench, limited, 'BTC');
    await bench.store.sql`update pools set limited_since = now() where owner_project_id = ${limited}`;
    const found = finding(await doctor(), 'Address limits');
    expect(found).toMatchObject({ status: 'warning' });
    expect(JSON.stringify(found)).toContain(email);
    await bench.store.sql`update pools set limited_since = null where owner_project_id = ${limited}`;
  });

  test('finds a chain without a leader', async () => {
    await bench.store.sql`update chains set leader_until = now() - interval '1 minute'`;
    try {
      const run = await doctor();
      expect(finding(run, 'BTC watcher')).toMatchObject({ status: 'failed' });
    } finally {
      await bench.store.sql`update chains set leader_until = now() + interval '1 hour'`;
    }
  });
});
