export { type AdminServer, startAdminServer } from './health.ts';
