import type { OperatorActionView, OperatorOverview } from '@paywatch/domain/contract';
import { findProblems, problemText, type Finding, type Problem } from '@paywatch/domain/deployment';
import type { OperatorLine } from '@paywatch/store/accounts';
import type { ChainStatus, SourceReport } from '@paywatch/store/chain';
import type { DeploymentStatus } from '@paywatch/store/deployment';
import type { Incident } from '@paywatch/store/incidents';
import { operatorLineView } from '../audit-log/audit-line-view.ts';

/** What a replica reads of the deployment. */
export type DeploymentState = DeploymentStatus & {
  readonly sources: readonly SourceReport[];
  readonly incidents: readonly Incident[];
  readonly redisFault: string | null;
  readonly findings: readonly Finding[];
  readonly nowMs: number;
};

/** The state as operators see it. Pure. */
export function overviewView(state: DeploymentState, actions: readonly OperatorLine[]): OperatorOverview {
  const { chains, webhooks, mail, pools, sources, incidents } = state;
  return {
    checked_at: new Date(state.nowMs).toISOString(),
    chains: chains.map((chain) => chainView(chain, sources)),
    webhooks: {
      pending: webhooks.pending,
      due: webhooks.due,
      failing: webhooks.failing,
      lag_seconds: webhooks.lagSeconds,
    },
    mail: mail && { due: mail.due, lag_seconds: mail.lagSeconds },
    pools: pools.map(({ currency, ample, low, dry, free }) => ({
      currency,
      ample,
      low,
      dry,
      free_addresses: free,
    })),
    parked_invoices: state.parkedInvoices,
    redis: state.redisFault === null,
    incidents: incidents.map(({ component, startedAt, endedAt }) => ({
      component,
      started_at: startedAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    })),
    problems: findProblems(state).map(problemView),
    findings: [...state.findings],
    actions: actions.map(actionView),
  };
}

function chainView(chain: ChainStatus, sources: readonly SourceReport[]): OperatorOverview['chains'][number] {
  const own = sources.filter(({ currency }) => currency === chain.currency);
  return {
    currency: chain.currency,
    network: chain.network,
    tip_height: chain.tip.height,
    blocks_behind: chain.knownHeight - chain.tip.height,
    read_at: chain.checkedAt.toISOString(),
    fresh: chain.isFresh,
    leader: chain.hasLeader,
    decisions_due: chain.dueDecisions,
    sources: own.map(({ name, fault, invalidData, isCutOff }) => ({
      name,
      usable: fault === null && invalidData === null && !isCutOff,
    })),
  };
}

function problemView(problem: Problem): OperatorOverview['problems'][number] {
  return {
    code: problem.code,
    currency: 'currency' in problem ? problem.currency : null,
    count: 'count' in problem ? problem.count : null,
    seconds: 'seconds' in problem ? problem.seconds : null,
    text: problemText(problem),
  };
}

function actionView({ account, ...line }: OperatorLine): OperatorActionView {
  return {
    ...operatorLineView(line),
    account: account && { account_id: account.publicId, email: account.email },
  };
}
