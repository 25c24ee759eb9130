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
  type Finding,
} from '@paywatch/domain/deployment';
import type { Currency } from '@paywatch/domain/values';
import { listLimitedAccounts } from '@paywatch/store/accounts';
import type { SourceReport } from '@paywatch/store/chain';
import type { DeploymentStatus } from '@paywatch/store/deployment';
import { inspectPostgres, readSchemaState } from '@paywatch/store/postgres';
import { loadRateReports } from '@paywatch/store/prices';
import { findSeller } from '@paywatch/store/subscriptions';
import type { Dependencies } from '../dependencies.ts';

const LOG_ADVICE = 'See the log of the API, or run `paywatch doctor` on the server.';

/** A check of `paywatch doctor` that needs nothing but Postgres and the settings of the API. */
type Check = { name: string; advice: string; run: () => Promise<readonly Finding[]> };

/** What the overview has read already. */
type Known = Pick<DeploymentStatus, 'chains' | 'webhooks'> & { sources: readonly SourceReport[] };

/** Runs the checks of `paywatch doctor` that a replica can do. A check that throws is a failed finding. Never rejects. */
export async function readFindings(dependencies: Dependencies, known: Known): Promise<Finding[]> {
  const findings = await Promise.all(checksOf(dependencies).map((check) => attempt(dependencies, check)));
  return [...findings.flat(), ...judgeKnown(dependencies, known)];
}

function judgeKnown({ config }: Dependencies, { chains, sources, webhooks }: Known): Finding[] {
  const chainOf = (wanted: Currency) => chains.find(({ currency }) => currency === wanted) ?? null;
  return [
    ...config.offered.map((currency) => judgeChain(currency, config.networks[currency], chainOf(currency))),
    ...sources.map(judgeSource),
    judgeWorkers(webhooks.lagSeconds),
  ];
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
    { name: 'Rates', advice: WATCHER_ADVICE, run: async () => (await loadRateReports(store)).map(judgeRate) },
    {
      name: 'Address limits',
      advice: ADDRESS_LIMIT_ADVICE,
      run: async () => [judgeAddressLimits(await listLimitedAccounts(store, ADDRESS_LIMIT_EMAILS))],
    },
    { name: 'Subscription seller', advice: LOG_ADVICE, run: () => checkSeller(dependencies) },
  ];
}

async function checkSeller({ store, config }: Dependencies): Promise<Finding[]> {
  if (config.plan === null) return [];
  const { sellerEmail, prices } = config.plan;
  return [judgeSeller(sellerEmail, [...prices.keys()], await findSeller(store, sellerEmail))];
}
