import type { DeploymentFacts } from '@paywatch/domain/deployment';
import { cachedRead } from '@paywatch/runtime/process';
import { listOperatorLines } from '@paywatch/store/accounts';
import { loadSourceReports } from '@paywatch/store/chain';
import { readDeploymentStatus } from '@paywatch/store/deployment';
import { listIncidents } from '@paywatch/store/incidents';
import { isRedisAnswering } from '@paywatch/store/redis';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { overviewView, type DeploymentState } from './overview-view.ts';
import { readFindings } from './read-findings.ts';

/** The state costs a row for each pool and each pending delivery. */
const SHARED_MS = 5000;
const SHOWN_INCIDENTS = 10;
const SHOWN_ACTIONS = 20;

/** The state of the deployment, shared by all requests within five seconds, and the last actions of operators. */
export function getOperatorOverview(dependencies: Dependencies): OperationHandler<'getOperatorOverview'> {
  const readShared = cachedRead(() => readState(dependencies), SHARED_MS);
  return async () => {
    const [state, actions] = await Promise.all([
      readShared(),
      listOperatorLines(dependencies.store, SHOWN_ACTIONS),
    ]);
    return { status: 200, body: overviewView(state, actions) };
  };
}

async function readState(dependencies: Dependencies): Promise<DeploymentState> {
  const { store, config, clock } = dependencies;
  const [status, sources, incidents, redisFault] = await Promise.all([
    readDeploymentStatus(store, config.env.MAIL_URL !== undefined),
    loadSourceReports(store),
    listIncidents(store, SHOWN_INCIDENTS),
    findRedisFault(dependencies),
  ]);
  const findings = await readFindings(dependencies, { ...status, sources });
  return { ...status, sources, incidents, redisFault, findings, nowMs: clock.nowMs() };
}

async function findRedisFault({ store }: Dependencies): Promise<DeploymentFacts['redisFault']> {
  return (await isRedisAnswering(store)) ? null : 'REDIS_URL: no response';
}
