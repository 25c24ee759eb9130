import type { IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Rules of who may import whom, as in ARCHITECTURE.md. Paths are relative to the repository; `comment` gives the reason.
 */
export const importArrows: IForbiddenRuleType[] = [
  {
    name: 'packages-know-no-service',
    comment: 'A package that imports a service cannot be used by other services.',
    severity: 'error',
    from: { path: '^packages/' },
    to: { path: '^services/' },
  },
  {
    name: 'services-know-no-other-service',
    comment: 'Services share only Postgres and Redis, so each can be deployed, scaled and killed separately.',
    severity: 'error',
    from: {
      path: '^services/([^/]+)/',
      pathNot: ['^services/serve/', '^services/cli/src/commands/serve\\.ts$'],
    },
    to: { path: '^services/', pathNot: '^services/$1/' },
  },
  {
    name: 'serve-starts-roles-only',
    comment: 'One process for all roles starts them by the same functions as their own processes do.',
    severity: 'error',
    from: { path: '^services/(serve/src/|cli/src/commands/serve\\.ts$)' },
    to: {
      path: '^services/',
      pathNot: ['^services/serve/', '^services/[^/]+/src/(role|config)\\.ts$', '^services/cli/src/terminal/'],
    },
  },
  {
    name: 'domain-knows-nothing-of-ours',
    comment: 'The rules are pure: whatever they import, everybody imports.',
    severity: 'error',
    from: { path: '^packages/domain/src/' },
    to: { path: '^(packages|services|infra|test|loadtests)/', pathNot: '^packages/domain/src/' },
  },
  {
    name: 'domain-touches-no-machine',
    comment: 'The rules are pure: no network, disk, clock or environment. Hashing is allowed.',
    severity: 'error',
    from: { path: '^packages/domain/src/' },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
  },
  {
    name: 'runtime-knows-nothing-of-ours',
    comment: 'The runtime of every process does not depend on invoices.',
    severity: 'error',
    from: { path: '^packages/runtime/src/' },
    to: { path: '^(packages|services|infra|test|loadtests)/', pathNot: '^packages/runtime/src/' },
  },
  {
    name: 'store-knows-domain-and-runtime-only',
    comment: 'The store depends on no service and no other package than domain and runtime.',
    severity: 'error',
    from: { path: '^packages/store/src/' },
    to: {
      path: '^(packages|services|infra|test|loadtests)/',
      pathNot: '^packages/(store|domain|runtime)/src/',
    },
  },
  {
    name: 'client-and-web-know-the-contract-only',
    comment: 'Code that runs on merchants’ servers and in browsers must not include server code.',
    severity: 'error',
    from: { path: '^(packages/client|services/web)/src/' },
    to: {
      path: '^(packages|services|infra|test|loadtests)/',
      pathNot: [
        '^(packages/client/src|services/web|packages/domain/src/contract)/',
        // Amounts of the contract: pure, and small enough for a page.
        '^packages/domain/src/values/(coins|checked|money)\\.ts$',
        '^packages/domain/src/prices/(price-in-coins|rate-value)\\.ts$',
      ],
    },
  },
  {
    name: 'redis-and-postgres-in-the-store-only',
    comment:
      'Redis keys, scripts and SQL are in one place, where they are checked for clusters and migrations.',
    severity: 'error',
    from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^packages/store/src/' },
    to: { path: 'node_modules/(ioredis|bullmq|postgres|drizzle-orm|rate-limiter-flexible)/' },
  },
  {
    name: 'http-in-the-api-only',
    comment: 'Only routes and middleware handle requests and responses.',
    severity: 'error',
    from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^services/api/src/' },
    to: { path: 'node_modules/(express|@types/express[^/]*)/' },
  },
  {
    name: 'requests-in-routes-and-middleware-only',
    comment: 'The code of an operation can be called without a request.',
    severity: 'error',
    from: {
      path: '^services/api/src/',
      pathNot: [
        '^services/api/src/middleware/',
        'routes\\.ts$',
        'router\\.ts$',
        '^services/api/src/app\\.ts$',
      ],
    },
    to: { path: 'node_modules/(express|@types/express[^/]*)/' },
  },
  {
    name: 'production-knows-no-tests',
    comment:
      'Tests and the development stack contain private keys and signing code, which no service may contain.',
    severity: 'error',
    from: { path: '^(packages|services)/[^/]+/src/' },
    to: { path: '(^(infra|test|loadtests)/|^(packages|services)/[^/]+/test/)' },
  },
  {
    name: 'no-circles',
    comment: 'Modules that import each other cannot be understood or loaded separately.',
    severity: 'error',
    from: { path: '^(packages|services|infra)/' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'everything-resolves',
    comment: 'An import that the tool cannot follow is one that it does not check.',
    severity: 'error',
    from: { path: '^(packages|services|infra|test)/' },
    to: { couldNotResolve: true },
  },
];
