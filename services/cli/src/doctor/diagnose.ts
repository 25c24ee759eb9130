import { skipped, type Finding } from '@paywatch/domain/deployment';
import type { Database } from '@paywatch/store/postgres';
import { readDatabaseConfig, type Env } from '../config.ts';
import { withDatabase } from '../open-store.ts';
import { checkAddressLimits } from './check-address-limits.ts';
import { checkChains } from './check-chains.ts';
import { checkClients } from './check-clients.ts';
import { checkClock, checkPostgres, checkSchema } from './check-postgres.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkKeys, checkSecrets } from './check-keys.ts';
import { checkMail } from './check-mail.ts';
import { checkRates } from './check-rates.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkSourceReports } from './check-source-reports.ts';
import { checkSources } from './check-sources.ts';
import { checkRedis } from './check-redis.ts';
import { checkSeller } from './check-seller.ts';
import { checkMachine } from './machine/check-machine.ts';
import { attempt } from './attempt.ts';

/** Checks all dependencies, in the order in which an operator sets them up. Never rejects. */
export async function diagnose(env: Env): Promise<Finding[]> {
  const [machine, database, redis, clients, sources, keys, mail, publicUrl] = await Promise.all([
    checkMachine(),
    diagnoseDatabase(env),
    checkRedis(env),
    checkClients(env),
    checkSources(env),
    checkKeys(env),
    checkMail(env),
    checkPublicUrl(env),
  ]);
  const [postgres, ...inDatabase] = database;
  const servers = [...(postgres ? [postgres] : []), redis, ...sources];
  return [...machine, ...servers, keys, mail, ...inDatabase, publicUrl, clients];
}

/** Checks Postgres, then its schema, then the contents of its tables. Skips what depends on a failed check. */
async function diagnoseDatabase(env: Env): Promise<Finding[]> {
  const findings: Finding[] = [];
  const postgres = await attempt('Postgres', 'Set DATABASE_URL to the URL of the Paywatch database.', () =>
    withDatabase(readDatabaseConfig(env), async (database) => {
      const finding = await checkPostgres(database);
      findings.push(await checkClock(database), ...(await diagnoseTables(env, database)));
      return finding;
    }),
  );
  return findings.length > 0
    ? [postgres, ...findings]
    : [postgres, ...allSkipped('Postgres does not respond')];
}

async function diagnoseTables(env: Env, database: Database): Promise<Finding[]> {
  const schema = await checkSchema(database);
  if (schema.status === 'failed') return [schema, ...tablesSkipped('the schema is not up to date')];
  return [
    schema,
    await checkSecrets(env, database),
    ...(await checkChains(env, database)),
    ...(await checkSourceReports(database)),
    ...(await checkRates(database)),
    await checkDeliveries(database),
    await checkAddressLimits(database),
    ...(await checkSeller(env, database)),
  ];
}

function allSkipped(because: string): Finding[] {
  return [skipped('Clock', because), skipped('Schema', because), ...tablesSkipped(because)];
}

function tablesSkipped(because: string): Finding[] {
  return ['Stored secrets', 'Watchers', 'Webhook workers', 'Address limits'].map((check) =>
    skipped(check, because),
  );
}
