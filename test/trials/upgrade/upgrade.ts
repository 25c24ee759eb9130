import { repositoryFolder } from '@paywatch/dev/stack';
import { execFileSync } from 'node:child_process';
import { startConstantRequests, type ConstantRequests } from '../machine/constant-requests.ts';
import {
  installOnFreshMachine,
  MACHINE_PROGRAMS,
  query,
  sellOverHttps,
  UNITS,
  URL_UNDER_TRIAL,
  type Installation,
} from '../machine/install-machine.ts';
import { copySource, type Machine } from '../machine/machine.ts';
import { openShop, type Shop } from '../machine/orders.ts';
import { createTrial, type Recorder } from '../shared/record-trial.ts';
import { failMigration, failProgram, type BrokenRelease } from './broken-release.ts';

const MIGRATIONS = 'packages/store/migrations/meta/_journal.json';

/**
 * Installs the commit before the newest migration, upgrades it to this tree while requests run, and then to releases that fail: the
 * program before serves again, with the same database.
 */
export const run = createTrial(MACHINE_PROGRAMS, async (recorder) => {
  const installation = await installOnFreshMachine(recorder, commitBeforeNewestMigration());
  const { machine, surroundings } = installation;
  const { apiKey, payUrls } = await sellOverHttps(recorder, installation);
  const shop = openShop(URL_UNDER_TRIAL, apiKey, surroundings, recorder.interrupted);
  const load = () =>
    startConstantRequests(URL_UNDER_TRIAL, { apiKey, payUrl: payUrls[0] ?? URL_UNDER_TRIAL });
  const scene = { recorder, machine, shop, load };
  await upgrade(scene, installation);
  for (const broken of [failMigration, failProgram]) await failUpgrade(scene, broken);
  for (const currency of ['BTC', 'LTC'] as const)
    await shop.sell(await shop.order(currency, `after-the-upgrades-${currency}`));
  recorder.done('afterwards an order per currency is paid and confirmed, with its webhook');
});

type Scene = { recorder: Recorder; machine: Machine; shop: Shop; load: () => ConstantRequests };

async function upgrade(scene: Scene, { machine }: Installation): Promise<void> {
  const { check, done } = scene.recorder;
  const source = await copySource(machine, 'now', repositoryFolder, null);
  const before = await stateOf(machine);
  const text = await underLoad(scene, 100, () => machine.run('sh', `${source}/install.sh`, 'upgrade'));
  const after = await stateOf(machine);
  check(after.release !== before.release, 'the program did not change');
  check(after.migrations > before.migrations, `the schema has ${after.migrations} migrations as before`);
  done(
    `upgrade to this tree, built, migrated (${before.migrations} to ${after.migrations}) and restarted one by one: ${text}`,
  );
}

/** The upgrade fails, the program before serves again, and the database has everything that was written meanwhile. */
async function failUpgrade(scene: Scene, breakRelease: BrokenRelease): Promise<void> {
  const { recorder, machine } = scene;
  const before = await stateOf(machine);
  const broken = await breakRelease(machine, before.release);
  let error = 'none';
  const text = await underLoad(scene, 20, async () => {
    const upgraded = machine.run(`${before.release}/node/bin/node`, broken.program, 'upgrade');
    error = await upgraded.then(
      () => 'none',
      (reason: Error) => reason.message,
    );
  });
  recorder.check(error.includes(broken.error), `the upgrade to ${broken.what} ended with: ${error}`);
  recorder.check(error.includes('runs again'), `the upgrade to ${broken.what} did not return: ${error}`);
  const after = await stateOf(machine);
  recorder.check(after.release === before.release, `after ${broken.what} the program is ${after.release}`);
  recorder.check(
    after.migrations === before.migrations,
    `${broken.what} left ${after.migrations} migrations instead of ${before.migrations}`,
  );
  await machine.run('systemctl', 'is-active', ...UNITS);
  recorder.check(after.failedUnits === '', `after ${broken.what} units are failed: ${after.failedUnits}`);
  recorder.done(`${broken.what} is taken back: ${text}`);
}

/** Runs `work` while requests run. None may fail, and every order that they created must exist afterwards. */
async function underLoad(
  { recorder: { check }, shop, load }: Scene,
  atLeast: number,
  work: () => Promise<unknown>,
): Promise<string> {
  const requests = load();
  try {
    await work();
  } catch (error) {
    await requests.stop();
    throw error;
  }
  const { count, failures, orders } = await requests.stop();
  check(
    failures.length === 0,
    `${failures.length} of ${count} requests failed: ${failures.slice(0, 5).join('; ')}`,
  );
  check(count >= atLeast && orders.length > 0, `only ${count} requests ran, with ${orders.length} orders`);
  for (const id of orders) {
    const status = await shop.statusOf(id);
    check(status === 'new', `the order ${id} is ${status} afterwards`);
  }
  return `${failures.length} of ${count} requests failed, and all ${orders.length} orders exist`;
}

async function stateOf(machine: Machine) {
  const failed = ['list-units', '--failed', '--plain', '--no-legend', 'paywatch*'];
  return {
    release: await machine.run('readlink', '/opt/paywatch/current'),
    migrations: Number(await query(machine, 'select count(*) from drizzle.__drizzle_migrations')),
    failedUnits: await machine.run('systemctl', ...failed),
  };
}

function commitBeforeNewestMigration(): string {
  return git('rev-parse', `${git('log', '-1', '--format=%H', '--', MIGRATIONS)}~1`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repositoryFolder, encoding: 'utf8' }).trim();
}
