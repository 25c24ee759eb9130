export { type CleanUp, deleteOldIdempotencyKeys } from './clean-up.ts';
export { AUDIT_KEPT_DAYS, type DatabaseRoles } from './database-roles.ts';
export {
  type AnySql,
  type Database,
  type Sql,
  type TransactionSql,
  inSnapshot,
  inTransaction,
  isDatabaseUnavailable,
  openDatabase,
} from './database.ts';
export { migrate } from './migrate.ts';
export { CLEAN_UPS, growthTable, type TableName } from './retention.ts';
export { matchesVerifier, scramVerifier } from './scram-verifier.ts';
export { type SchemaState, inspectPostgres, readSchemaState } from './schema-state.ts';
export { checkServers } from './start-checks.ts';
export { type WalArchive, readWalArchive } from './wal-archive.ts';
