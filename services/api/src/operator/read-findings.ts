import {
  ADDRESS_LIMIT_ADVICE,
  ADDRESS_LIMIT_EMAILS,
  failed,
  judgeAddressLimits,
  judgeChain,
  judgeClock,
  judgePostgres,
  judgeRate,
  judgeSchema,
  judgeSeller,
  judgeSource,
  judgeWorkers,
  WATCHER_ADVICE,
  WORKER_ADVICE,
  type Finding,
} from '@paywatch/domain/deployment';
import { listLimitedAccounts } from '@paywatch/store/accounts';
import { loadChainStatuses, loadSourceReports } from '@paywatch/store/chain';
import { inspectPostgres, readSchemaState } from '@paywatch/store/postgres';
import { loadRateReports } from '@paywatch/store/prices';
import { findSeller } from '@paywatch/store/subscriptions';
import { measureRelayLag } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';

const LOG_ADVICE = 'See the log of the API, or run `paywatch doctor` on the server.';

/** A check of `paywatch doctor` that needs nothing but Postgres and the settings of the API. */
type Check = { name: string; advice: string; run: () => Promise<readonly Finding[]> };

/** Runs the checks of `paywatch doctor` that a replica can do. A check that throws is a failed finding. Never rejects. */
export async function readFindings(dependencies: Dependencies): Promise<Finding[]> {
  const findings = await Promise.all(checksOf(dependencies).map((check) => attempt(dependencies, check)));
  return findings.flat();
}

async function attempt({ logger }: Dependencies, { name, advice, run }: Check): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (err) {
    logger.warn({ err, check: name }, 'check of the deployment failed');
    return [failed(name, 'check failed', advice)];
  }
}

function checksOf(dependencies: Dependencies): Check[] {
  const { store, clock } = dependencies;
  return [
    {
      name: 'Postgres',
      advice: LOG_ADVICE,
      run: async () => {
        const beforeMs = clock.nowMs();
        const state = await inspectPostgres(store);
        return [judgePostgres(state), judgeClock(state.nowMs - (beforeMs + clock.nowMs()) / 2)];
      },
    },
    { name: 'Schema', advice: LOG_ADVICE, run: async () => [judgeSchema(await readSchemaState(store))] },
    { name: 'Watchers', advice: WATCHER_ADVICE, run: () => checkChains(dependencies) },
    {
      name: 'Sources',
      advice: WATCHER_ADVICE,
      run: async () => (await loadSourceReports(store)).map(judgeSource),
    },
    { name: 'Rates', advice: WATCHER_ADVICE, run: async () => (await loadRateReports(store)).map(judgeRate) },
    {
      name: 'Webhook workers',
      advice: WORKER_ADVICE,
      run: async () => [judgeWorkers(await measureRelayLag(store))],
    },
    {
      name: 'Address limits',
      advice: ADDRESS_LIMIT_ADVICE,
      run: async () => [judgeAddressLimits(await listLimitedAccounts(store, ADDRESS_LIMIT_EMAILS))],
    },
    { name: 'Subscription seller', advice: LOG_ADVICE, run: () => checkSeller(dependencies) },
  ];
}

async function checkChains({ store, config }: Dependencies): Promise<Finding[]> {
  const chains = await loadChainStatuses(store);
  return config.offered.map((currency) =>
    judgeChain(currency, config.networks[currency], chains.get(currency) ?? null),
  );
}

async function checkSeller({ store, config }: Dependencies): Promise<Finding[]> {
  if (config.plan === null) return [];
  const { sellerEmail, prices } = config.plan;
  return [judgeSeller(sellerEmail, [...prices.keys()], await findSeller(store, sellerEmail))];
}
