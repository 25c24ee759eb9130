export { registerDeploymentMetrics } from './deployment-metrics.ts';
export { registerServerMetrics } from './server-metrics.ts';
