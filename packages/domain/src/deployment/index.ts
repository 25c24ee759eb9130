export { type DeploymentFacts, type Problem, findProblems, problemText } from './find-problems.ts';
export { type Finding, failed, ok, skipped, warning } from './finding.ts';
export { ADDRESS_LIMIT_ADVICE, ADDRESS_LIMIT_EMAILS, judgeAddressLimits } from './judge-address-limits.ts';
export { WATCHER_ADVICE, judgeChain } from './judge-chain.ts';
export { judgeClock, judgePostgres, judgeSchema } from './judge-postgres.ts';
export { judgeRate } from './judge-rate.ts';
export { judgeSeller } from './judge-seller.ts';
export { judgeSource } from './judge-source.ts';
export { WORKER_ADVICE, judgeWorkers } from './judge-workers.ts';
