export * from './database.ts';
export * from './migrate.ts';
export * from './queues.ts';
export * from './redis/client.ts';
export * from './redis/keys.ts';
export * as schema from './schema/index.ts';
export * from './store.ts';
