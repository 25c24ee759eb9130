import { temporaryFolder } from '@paywatch/dev/testing';
import { InvalidArgumentError } from 'commander';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { alertmanagerSettings } from '../src/init/alertmanager-settings.ts';
import { fillSettings, settingsOf } from '../src/init/compose-answers.ts';
import { nodeSettings } from '../src/init/node-settings.ts';
import { parseDomain } from '../src/terminal/arguments.ts';
import { runHere } from './support/bench.ts';

const repository = join(import.meta.dirname, '../../..');
const template = readFileSync(join(repository, '.env.example'), 'utf8');

function composeFolder(): { folder: string; read: (path: string) => string } {
  const folder = temporaryFolder('init');
  for (const name of ['compose.yaml', '.env.example'])
    writeFileSync(join(folder, name), readFileSync(join(repository, name)));
  return { folder, read: (path) => readFileSync(join(folder, path), 'utf8').trim() };
}

test('the answers become profiles and variables of .env, and all else keeps its default', () => {
  const answers = {
    domain: 'pay.example',
    email: 'ops@pay.example',
    chains: { BTC: 'node', LTC: 'esplora' },
  } as const;
  expect(parseEnv(fillSettings(template, settingsOf(answers)))).toEqual({
    COMPOSE_PROFILES: 'single,tls,bitcoind',
    PUBLIC_URL: 'https://pay.example',
    ACME_EMAIL: 'ops@pay.example',
    BTC_NODE_ZMQ_URL: 'tcp://bitcoind:28332',
    LTC_ESPLORA_URL: 'https://litecoinspace.org/api',
  });
  expect(() => fillSettings(template, { NO_SUCH_VARIABLE: '1' })).toThrow('NO_SUCH_VARIABLE');
});

test('alerts go to the operator by the SMTP server of the services; without one they are kept', () => {
  const given = {
    MAIL_URL: 'smtps://a%40b:p%3Aw@mail.example',
    MAIL_FROM: 'Paywatch <no-reply@pay.example>',
  };
  const settings = alertmanagerSettings('ops@pay.example', given);
  expect(JSON.parse(/- (\{.*\})$/m.exec(settings)?.[1] ?? '')).toEqual({
    to: 'ops@pay.example',
    from: 'Paywatch <no-reply@pay.example>',
    smarthost: 'mail.example:465',
    auth_username: 'a@b',
    auth_password: 'p:w',
    send_resolved: true,
  });
  for (const without of [alertmanagerSettings(null, given), alertmanagerSettings('ops@pay.example', {})])
    expect(without).not.toContain('email_configs');
});

test('the settings of a node contain the hash of rpcauth.py instead of the password', () => {
  const settings = nodeSettings('opensesame', '0123456789abcdef0123456789abcdef');
  // HMAC-SHA-256 of `opensesame` with this salt as the key, by openssl.
  expect(settings).toContain(
    'rpcauth=paywatch:0123456789abcdef0123456789abcdef$8be2e41c6ea3c48c3742fcaeaf04daac0d08064fceb8595d1ab2e95c5f92d2d2',
  );
  expect(settings).not.toContain('opensesame');
});

test('URLs with passwords move from an older .env into the secrets, and the file is not changed', async () => {
  const { folder, read } = composeFolder();
  const older = 'PUBLIC_URL=https://pay.example\nBTC_NODE_URL=http://a:b@node:8332\n';
  writeFileSync(join(folder, '.env'), older);
  const env = { MAIL_URL: 'smtps://mail.example' };
  expect(await runHere(['init', '--compose', folder], env)).toMatchObject({ code: 0, stderr: '' });
  expect([read('secrets/btc_node_url'), read('secrets/mail_url')]).toEqual([
    'http://a:b@node:8332',
    'smtps://mail.example',
  ]);
  expect(`${read('.env')}\n`).toBe(older);
});

test('an empty secret is filled by a later run, and its URL contains the password that the node knows', async () => {
  const { folder, read } = composeFolder();
  await runHere(['init', '--compose', folder]);
  const settings = read('secrets/bitcoind_conf');
  expect(read('secrets/btc_node_url')).toBe('');
  await runHere(['init', '--compose', folder, '--btc', 'node']);
  expect(read('secrets/bitcoind_conf')).toBe(settings);
  const password = read('secrets/btc_node_password');
  expect(read('secrets/btc_node_url')).toBe(`http://paywatch:${password}@bitcoind:8332`);
  const [, salt = ''] = /rpcauth=paywatch:(\w+)\$/.exec(settings) ?? [];
  expect(settings).toBe(nodeSettings(password, salt));
});

test('it fails outside of a folder with compose.yaml, and for a domain without an email', async () => {
  const outside = await runHere(['init', '--compose', temporaryFolder('empty')]);
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('compose.yaml') });
  const { folder } = composeFolder();
  const withoutEmail = await runHere(['init', '--compose', folder, '--domain', 'pay.example']);
  expect(withoutEmail).toMatchObject({ code: 2, stderr: expect.stringContaining('--email') });
});

test('a domain is a host name alone', () => {
  expect(parseDomain('Pay.Example')).toBe('pay.example');
  for (const text of [
    'localhost',
    'https://pay.example',
    'pay.example:443',
    'pay.example/x',
    'a b.example',
    '-a.example',
    'pay.example\nA=1',
    '192.0.2.1',
    '',
  ])
    expect(() => parseDomain(text), text).toThrow(InvalidArgumentError);
});
