import { describe, expect, test } from 'vitest';
import { answersSchema, type Answers } from '../../src/install/answers/answers.ts';
import { answersOfFlags, parseAnswers } from '../../src/install/answers/read-answers.ts';
import type { Facts } from '../../src/install/machine/facts.ts';
import { debianRelease, releaseOf } from '../../src/install/machine/read-facts.ts';
import { SERVICE_UNITS } from '../../src/install/paths.ts';
import { shareMemory } from '../../src/install/plan/memory.ts';
import { planInstall } from '../../src/install/plan/plan-install.ts';
import { planReturn, planUpgrade } from '../../src/install/plan/plan-upgrade.ts';
import { planUninstall } from '../../src/install/plan/plan-uninstall.ts';
import { describeStep, type FileStep, type Step } from '../../src/install/plan/step.ts';
import { installSummary } from '../../src/install/summary.ts';

const SECRETS = {
  owner_password: 'secret-of-the-owner',
  service_password: 'secret-of-the-service',
  retention_password: 'secret-of-retention',
  read_password: 'secret-of-read',
  redis_password: 'secret-of-redis',
  operator_code: 'secret-of-the-operator',
  encryption_keys: 'k1:secret-of-the-keys',
};
const ANSWERS: Answers = {
  domain: 'pay.example.com',
  sources: {
    BTC: { kind: 'node', url: 'http://user:secret-of-the-node@10.0.0.5:8332' },
    LTC: { kind: 'esplora', url: 'https://litecoin.example/api' },
  },
  mail: { url: 'smtps://user:secret-of-mail@mail.example:465', from: 'Shop <no-reply@example.com>' },
  backups: { folder: '/var/backups/paywatch', days: 14 },
  network: 'mainnet',
  acme: null,
};
const FACTS: Facts = {
  debian: 12,
  memoryMb: 4096,
  release: '0.1.0-abc',
  installed: null,
};

const plan = (answers: Answers = ANSWERS, facts: Facts = FACTS) => planInstall(answers, facts, SECRETS);
const files = (steps: readonly Step[]) => steps.filter((step): step is FileStep => step.kind === 'file');

function fileAt(path: string, steps = plan()): FileStep {
  const found = files(steps).find((file) => file.path === path);
  if (found === undefined) throw new Error(`the plan does not write ${path}`);
  return found;
}

const loaded = (name: string) =>
  [...unitOf(name).matchAll(/^LoadCredential=(\w+):/gm)].map(([, file]) => file);
const unitOf = (name: string) => fileAt(`/etc/systemd/system/${name}.service`).content;

describe('the plan of an installation', () => {
  test('a file that contains a secret is marked, and readable by root or by its one reader only', () => {
    const withSecret = files(plan()).filter(({ content }) => content.includes('secret-of-'));
    expect(withSecret.length).toBeGreaterThan(8);
    for (const { path, mode, isSecret } of withSecret) {
      expect({ path, isSecret, forOthers: mode & 0o007 }).toEqual({ path, isSecret: true, forOthers: 0 });
      const isOurs = path.startsWith('/etc/paywatch/');
      expect({ path, mode }).toEqual({ path, mode: isOurs ? 0o600 : 0o640 });
    }
  });

  test('no description of a step and no line of the summary contains a secret', () => {
    const text = [...plan().map(describeStep), installSummary(ANSWERS)].join('\n');
    expect(text).not.toContain('secret-of-');
    expect(text).toContain('/etc/paywatch/secrets/encryption_keys');
    expect(text).toContain('https://pay.example.com/account/register#operator');
    expect(text).toContain('/etc/paywatch/secrets/operator_code');
  });

  test('no unit has a secret in its environment or arguments, and each gets only the credentials it needs', () => {
    const servers = ['service_url', 'redis_url'];
    const sources = ['btc_node_url', 'ltc_esplora_url'];
    expect(loaded('paywatch-api@')).toEqual([
      ...servers,
      'encryption_keys',
      'mail_url',
      'operator_code',
      ...sources,
    ]);
    expect(loaded('paywatch-watcher')).toEqual([...servers, ...sources]);
    expect(loaded('paywatch-webhook-worker')).toEqual([...servers, 'encryption_keys', 'mail_url']);
    expect(loaded('paywatch-migrate')).toEqual([
      'owner_url',
      'service_password',
      'retention_password',
      'read_password',
    ]);
    expect(loaded('paywatch-retention')).toEqual(['retention_url']);
  });

  test('every credential that a unit loads is a file of the plan', () => {
    const credentials = files(plan()).flatMap(({ content }) => [
      ...content.matchAll(/^LoadCredential=\w+:(\S+)$/gm),
    ]);
    expect(credentials.length).toBeGreaterThan(10);
    for (const [, path] of credentials) expect(fileAt(path ?? '').mode).toBe(0o600);
  });

  test('every process is sandboxed and has a memory limit', () => {
    for (const name of [
      'paywatch-api@',
      'paywatch-watcher',
      'paywatch-webhook-worker',
      'paywatch-migrate',
      'paywatch-retention',
    ])
      for (const line of [
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'User=paywatch',
        'CapabilityBoundingSet=',
        'MemoryMax=',
      ])
        expect(unitOf(name)).toContain(`\n${line}`);
  });

  test('every unit that is started has a file in the plan, or comes from Debian', () => {
    const started = plan().flatMap((step) => (step.kind === 'unit' ? [step.name] : []));
    const fromDebian = ['postgresql@15-main', 'redis-server@paywatch', 'caddy'];
    for (const name of started.filter((each) => !fromDebian.includes(each))) {
      const path = name.replace(/@\d$/, '@');
      expect(
        fileAt(`/etc/systemd/system/${path.includes('.') ? path : `${path}.service`}`).content,
      ).toContain('[Unit]');
    }
    expect(started).toEqual(expect.arrayContaining([...SERVICE_UNITS, ...fromDebian]));
  });

  test('servers start before the migration, and the migration before the services', () => {
    const started = plan().flatMap((step) => (step.kind === 'unit' ? [step.name] : []));
    const order = [
      'postgresql@15-main',
      'redis-server@paywatch',
      'paywatch-migrate',
      'paywatch-watcher',
      'caddy',
    ];
    expect(started.filter((name) => order.includes(name))).toEqual(order);
  });

  test('Debian 13 has Postgres 17', () => {
    const paths = files(plan(ANSWERS, { ...FACTS, debian: 13 })).map(({ path }) => path);
    expect(paths).toContain('/etc/postgresql/17/main/conf.d/paywatch.conf');
  });

  test('without backups nothing is backed up, and the summary warns', () => {
    const answers = { ...ANSWERS, backups: null };
    expect(
      files(plan(answers))
        .map(({ path }) => path)
        .join(),
    ).not.toContain('backup');
    expect(installSummary(answers)).toContain('if this disk fails, every invoice is lost');
  });

  test('the same answers, facts and secrets give the same plan', () => {
    expect(plan()).toEqual(plan());
  });
});

describe('answers', () => {
  test.each([
    ['a path', 'pay.example.com/shop'],
    ['a line break', 'pay.example.com\n}'],
    ['an address', '10.0.0.1'],
    ['no dot', 'localhost'],
  ])('a domain with %s is refused: it becomes part of the settings of Caddy', (_, domain) => {
    expect(answersSchema.safeParse({ ...ANSWERS, domain }).success).toBe(false);
  });

  test.each(['a\nb', 'a"; rm -rf /', '$(id)', '`id`'])(
    'the sender %j is refused: root sources it as shell',
    (from) => {
      const mail = { url: 'smtps://mail.example', from };
      expect(answersSchema.safeParse({ ...ANSWERS, mail }).success).toBe(false);
    },
  );

  test('a currency without source, an unknown answer and a source that is no URL are reported together', () => {
    const given = { domain: 'x', sources: { BTC: { kind: 'node', url: 'nowhere' } }, extra: 1 };
    expect(() => parseAnswers(given)).toThrow(/domain.*\n.*sources\.BTC\.url[\s\S]*extra/);
  });

  test('a URL with a password is refused as an argument, which every user can read', () => {
    expect(() => answersOfFlags({ btc: 'http://user:secret@node:8332' })).toThrow('every user');
    expect(answersOfFlags({ btc: 'http://node:8332', ltc: 'esplora+https://x.example/api' })).toEqual({
      sources: {
        BTC: { kind: 'node', url: 'http://node:8332' },
        LTC: { kind: 'esplora', url: 'https://x.example/api' },
      },
    });
  });
});

describe('facts', () => {
  test.each([
    ['PRETTY_NAME="Debian GNU/Linux 12"\nVERSION_ID="12"\nID=debian\n', 12],
    ['VERSION_ID="13"\nID=debian\n', 13],
    ['VERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n', 0],
  ])('the release of %j is %i', (text, release) => expect(debianRelease(text)).toBe(release));

  test('a program outside of a release cannot install', () => {
    expect(releaseOf('/opt/paywatch/releases/0.1.0-abc/bundles/cli.mjs')).toBe('0.1.0-abc');
    expect(() => releaseOf('/home/me/paywatch/services/cli/src/main.ts')).toThrow('install.sh');
  });

  test.each([1800, 4096, 16_384, 262_144])(
    'with %i MB no limit exceeds the memory of the machine',
    (total) => {
      for (const limit of Object.values(shareMemory(total))) expect(limit).toBeLessThan(total * 0.6);
    },
  );
});

describe('upgrade', () => {
  const steps = planUpgrade('0.2.0-new', true);

  test('backs up first, migrates before any restart, and restarts the API last, one replica after the other', () => {
    expect(steps.map((step) => (step.kind === 'restart' ? step.unit : step.kind))).toEqual([
      'backup',
      'program',
      'migrate',
      'paywatch-watcher',
      'paywatch-webhook-worker',
      'paywatch-api@1',
      'paywatch-api@2',
    ]);
  });

  test('a failure after any step returns to the old program, restarts what was restarted, and never touches the database', () => {
    for (let count = 1; count <= steps.length; count += 1) {
      const done = steps.slice(0, count);
      const back = planReturn('0.1.0-old', done);
      expect(back.some(({ kind }) => kind === 'backup' || kind === 'migrate')).toBe(false);
      const restarted = done.filter(({ kind }) => kind === 'restart');
      const changes = back.filter(({ kind }) => kind !== 'forget-migration');
      expect(changes).toEqual(count === 1 ? [] : [{ kind: 'program', release: '0.1.0-old' }, ...restarted]);
    }
  });

  test('only after a failed migration its unit, which runs nothing, is no longer failed', () => {
    const kinds = steps.map((_, index) => planReturn('0.1.0-old', steps.slice(0, index + 1)));
    const forgotten = kinds.map((back) => back.some(({ kind }) => kind === 'forget-migration'));
    expect(forgotten).toEqual(steps.map(({ kind }) => kind === 'migrate'));
  });
});

test('uninstalling removes no settings, no secret, no backup and nothing of Postgres', () => {
  const { paths } = planUninstall('/var/backups/paywatch');
  for (const kept of ['/etc/paywatch', '/var/backups', '/var/lib/postgresql', '/etc/postgresql'])
    expect(paths.filter((path) => path.startsWith(kept) || kept.startsWith(`${path}/`))).toEqual([]);
  const written = files(plan()).map(({ path }) => path);
  const units = written.filter((path) => /\/paywatch-[\w-]+@?\.(service|timer)$/.test(path));
  expect(paths).toEqual(expect.arrayContaining(units));
});
