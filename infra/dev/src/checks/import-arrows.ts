import type { IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Who may import whom; ARCHITECTURE.md draws it. Paths are relative to the repository. Each rule says in `comment` what breaks without it.
 */
export const importArrows: IForbiddenRuleType[] = [
  {
    name: 'packages-know-no-service',
    comment: 'A package that needs a service cannot be used by another one.',
    severity: 'error',
    from: { path: '^packages/' },
    to: { path: '^services/' },
  },
  {
    name: 'services-know-no-other-service',
    comment: 'Services meet in Postgres and Redis only: each can be deployed, scaled and killed alone.',
    severity: 'error',
    from: { path: '^services/([^/]+)/' },
    to: { path: '^services/', pathNot: '^services/$1/' },
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
    comment: 'No network, disk, clock or environment in the rules; hashing is pure.',
    severity: 'error',
    from: { path: '^packages/domain/src/' },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
  },
  {
    name: 'runtime-knows-nothing-of-ours',
    comment: 'What every process needs knows nothing of invoices.',
    severity: 'error',
    from: { path: '^packages/runtime/src/' },
    to: { path: '^(packages|services|infra|test|loadtests)/', pathNot: '^packages/runtime/src/' },
  },
  {
    name: 'store-knows-domain-and-runtime-only',
    comment: 'The store is below the services and beside nothing.',
    severity: 'error',
    from: { path: '^packages/store/src/' },
    to: {
      path: '^(packages|services|infra|test|loadtests)/',
      pathNot: '^packages/(store|domain|runtime)/src/',
    },
  },
  {
    name: 'client-and-web-know-the-contract-only',
    comment: 'What runs at merchants and in browsers must not carry the server.',
    severity: 'error',
    from: { path: '^(packages/client|services/web)/src/' },
    to: {
      path: '^(packages|services|infra|test|loadtests)/',
      pathNot: [
        '^(packages/client/src|services/web|packages/domain/src/contract)/',
        // What the contract's amounts mean: pure, and small enough to send to a phone.
        '^packages/domain/src/values/(coins|checked|money)\\.ts$',
      ],
    },
  },
  {
    name: 'redis-and-postgres-in-the-store-only',
    comment:
      'Keys, scripts and statements have one home, where clusters and migrations can be thought through.',
    severity: 'error',
    from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^packages/store/src/' },
    to: { path: 'node_modules/(ioredis|bullmq|postgres|drizzle-orm|rate-limiter-flexible)/' },
  },
  {
    name: 'http-in-the-api-only',
    comment: 'Requests and answers are the business of routes.',
    severity: 'error',
    from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^services/api/src/' },
    to: { path: 'node_modules/(express|@types/express[^/]*)/' },
  },
  {
    name: 'requests-in-routes-and-middleware-only',
    comment: 'What tells the story of an operation can be called without a request.',
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
    comment: 'Tests and the development stack hold keys and signing code that no service may carry.',
    severity: 'error',
    from: { path: '^(packages|services)/[^/]+/src/' },
    to: { path: '(^(infra|test|loadtests)/|^(packages|services)/[^/]+/test/)' },
  },
  {
    name: 'no-circles',
    comment: 'Modules that need each other at run time cannot be understood, or loaded, one at a time.',
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
