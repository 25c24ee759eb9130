export { type AdminServer, startAdminServer } from './admin-server.ts';
