export { type DeploymentStatus, readDeploymentStatus } from './deployment-status.ts';
