import { repositoryFolder } from '@paywatch/dev/stack';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Test files of a workspace, relative to it, or all that import the mutated file, except those in a folder. */
export type Suite = { workspace: string; tests: readonly string[] | 'related'; without?: string };

/** Files whose mutants are scored together. */
export type Part = {
  name: string;
  /** The minimum score. */
  floor: number;
  /** Whether its tests need Postgres and Redis. */
  needsServers: boolean;
  /** Relative to the repository. */
  files: readonly string[];
  /** Run in this order until one fails. */
  suitesOf(file: string): readonly Suite[];
};

/** The parts that `npm run mutants` mutates. */
export function mutatedParts(): Part[] {
  return [domain(), watcher(), statements()];
}

/** Modules in the folders of chains, invoices and keys that contain no rules. */
const OTHER_MODULES = new Set(['checked', 'index', 'parse-error', 'public-id', 'stream-message']);

function domain(): Part {
  const workspace = 'packages/domain';
  const modules = globSync('{chain,chain/headers,invoices,keys,pools,values}/*.ts', {
    cwd: join(repositoryFolder, workspace, 'src'),
  })
    .filter((path) => !OTHER_MODULES.has(basename(path, '.ts')))
    .toSorted();
  return {
    name: 'domain',
    floor: 0.9,
    needsServers: false,
    files: modules.map((path) => `${workspace}/src/${path}`),
    suitesOf: (file) => {
      const own = `test/${file.slice(`${workspace}/src/`.length, -'.ts'.length)}.test.ts`;
      const hasOwn = existsSync(join(repositoryFolder, workspace, own));
      // The contract's tests only import the rules, and are the slowest.
      const related = { workspace, tests: 'related', without: 'test/contract' } as const;
      return [...(hasOwn ? [{ workspace, tests: [own] }] : []), related];
    },
  };
}

/** Modules of the watcher with their tests, the most specific first. */
const WATCHER: Readonly<Record<string, readonly string[]>> = {
  'chain/scan-block': ['chain/chain-rules', 'chain/rescan-chain', 'payments/outcomes'],
  'chain/scan-queued-block': ['chain/forged-jobs', 'watcher'],
  'chain/follow-chain': [
    'chain/chain-rules',
    'payments/outcomes',
    'chain/litecoin',
    'chain/crash',
    'watcher',
    'chain/leadership',
  ],
  'chain/read-mempool': [
    'payments/record-outputs',
    'chain/chain-rules',
    'chain/leadership',
    'pools/promote-addresses',
    'sources/watch-sources',
    'watcher',
  ],
  'payments/find-candidates': [
    'payments/record-outputs',
    'chain/litecoin',
    'payments/descendants',
    'chain/rescan-chain',
  ],
  'payments/record-outputs': [
    'payments/record-outputs',
    'payments/unassigned-payments',
    'payments/outcomes',
    'payments/leases',
    'chain/litecoin',
    'payments/descendants',
    'chain/rescan-chain',
    'chain/leadership',
  ],
  'payments/plan-record': [
    'payments/record-outputs',
    'payments/unassigned-payments',
    'payments/outcomes',
    'payments/leases',
    'chain/litecoin',
    'payments/descendants',
    'chain/rescan-chain',
    'chain/leadership',
  ],
  'payments/attribute-payments': [
    'payments/leases',
    'payments/unassigned-payments',
    'payments/outcomes',
    'chain/litecoin',
    'payments/record-outputs',
  ],
  'payments/settle-invoices': [
    'payments/outcomes',
    'payments/deadlines',
    'payments/parked-invoices',
    'payments/subscriptions',
    'payments/record-outputs',
    'payments/leases',
    'payments/unshown-donations',
  ],
  'payments/decide-invoice': [
    'payments/outcomes',
    'payments/deadlines',
    'payments/parked-invoices',
    'payments/subscriptions',
    'payments/record-outputs',
    'payments/leases',
    'payments/unshown-donations',
  ],
  'payments/settled-stats': ['payments/stats-recount', 'payments/outcomes'],
  'payments/write-events': ['payments/event-facts', 'payments/outcomes', 'payments/deadlines'],
  'payments/settle-due': [
    'payments/sweepers',
    'payments/deadlines',
    'payments/parked-invoices',
    'payments/outcomes',
    'payments/unshown-donations',
  ],
  'payments/settle-or-park': ['payments/parked-invoices'],
  'payments/withhold-unagreed': ['payments/agreements', 'sources/watch-sources', 'payments/outcomes'],
  'payments/request-agreements': ['payments/agreements', 'sources/watch-sources'],
  'sources/choose-source': ['sources/choose-source', 'sources/source-pool'],
  'sources/source-pool': [
    'sources/source-pool',
    'sources/forged-chains',
    'sources/inspect-sources',
    'sources/watch-sources',
  ],
  'sources/source-member': [
    'sources/source-pool',
    'sources/forged-chains',
    'sources/inspect-sources',
    'sources/watch-sources',
  ],
  'sources/survey-sources': [
    'sources/source-pool',
    'sources/forged-chains',
    'sources/inspect-sources',
    'sources/watch-sources',
  ],
  'sources/checked-source': ['sources/forged-chains', 'sources/source-pool'],
  'sources/header-chain': ['sources/forged-chains', 'sources/source-pool'],
  'sources/node/read-block': ['chain/chain-rules', 'sources/forged-chains', 'sources/esplora-source'],
};

function watcher(): Part {
  const workspace = 'services/watcher';
  return {
    name: 'watcher',
    floor: 0.8,
    needsServers: true,
    files: existing(Object.keys(WATCHER).map((name) => `${workspace}/src/${name}.ts`)),
    suitesOf: (file) => {
      const name = file.slice(`${workspace}/src/`.length, -'.ts'.length);
      const [nearest = '', ...others] = (WATCHER[name] ?? []).map((test) => `test/${test}.test.ts`);
      return [{ workspace, tests: [nearest] }, ...(others.length > 0 ? [{ workspace, tests: others }] : [])];
    },
  };
}

/** The statements that settle, attribute and lease. Tests of the watcher cover what the store's own tests do not. */
const STATEMENTS: Readonly<Record<string, { store: readonly string[]; watcher: readonly string[] }>> = {
  'invoices/settlement': {
    store: ['invoices/invoices'],
    watcher: [
      'payments/outcomes',
      'payments/deadlines',
      'payments/sweepers',
      'payments/parked-invoices',
      'payments/unshown-donations',
      'payments/record-outputs',
    ],
  },
  'invoices/due-decisions': {
    store: ['invoices/invoices'],
    watcher: [
      'payments/outcomes',
      'payments/deadlines',
      'payments/sweepers',
      'payments/parked-invoices',
      'payments/unshown-donations',
      'payments/record-outputs',
    ],
  },
  'invoices/deadlines': {
    store: ['invoices/invoices'],
    watcher: [
      'payments/outcomes',
      'payments/deadlines',
      'payments/sweepers',
      'payments/parked-invoices',
      'payments/unshown-donations',
      'payments/record-outputs',
    ],
  },
  'invoices/parked-invoices': { store: [], watcher: ['payments/parked-invoices'] },
  'invoices/invoices': { store: ['invoices/invoices'], watcher: ['chain/chain-rules', 'payments/deadlines'] },
  'invoices/create-invoice.sql': {
    store: ['invoices/invoice-creation', 'invoices/idempotency', 'invoices/creation-without-redis'],
    watcher: ['payments/unshown-donations', 'pools/promote-addresses'],
  },
  'invoices/create-invoice': {
    store: ['invoices/invoice-creation', 'invoices/idempotency', 'invoices/creation-without-redis'],
    watcher: [],
  },
  'invoices/creation-refusal': {
    store: ['invoices/invoice-creation', 'invoices/idempotency', 'invoices/creation-without-redis'],
    watcher: [],
  },
  'invoices/lease-follow-up': {
    store: ['invoices/invoice-creation', 'invoices/idempotency', 'invoices/creation-without-redis'],
    watcher: [],
  },
  'payments/payments': {
    store: ['payments/payments'],
    watcher: ['payments/leases', 'payments/record-outputs', 'payments/unassigned-payments', 'chain/litecoin'],
  },
  'payments/transactions': {
    store: [],
    watcher: [
      'payments/record-outputs',
      'payments/outcomes',
      'chain/litecoin',
      'chain/rescan-chain',
      'payments/deadlines',
    ],
  },
  'payments/descendants': { store: [], watcher: ['payments/descendants', 'payments/record-outputs'] },
  'payments/agreements': { store: [], watcher: ['payments/agreements', 'sources/watch-sources'] },
  'chain/chains': {
    store: [],
    watcher: [
      'chain/chain-rules',
      'payments/outcomes',
      'payments/descendants',
      'payments/record-outputs',
      'chain/leadership',
      'chain/litecoin',
      'payments/deadlines',
    ],
  },
  'chain/pending-blocks': {
    store: [],
    watcher: [
      'chain/chain-rules',
      'payments/outcomes',
      'payments/descendants',
      'payments/record-outputs',
      'chain/leadership',
      'chain/litecoin',
      'payments/deadlines',
    ],
  },
  'chain/disconnect-blocks': {
    store: [],
    watcher: [
      'chain/chain-rules',
      'payments/outcomes',
      'payments/descendants',
      'payments/record-outputs',
      'chain/leadership',
      'chain/litecoin',
      'payments/deadlines',
    ],
  },
  'pools/pools': {
    store: ['invoices/invoice-creation', 'invoices/invoices'],
    watcher: [
      'payments/leases',
      'pools/refill-pools',
      'pools/check-pools',
      'payments/unshown-donations',
      'pools/address-limits',
    ],
  },
  'pools/pool-usage': {
    store: ['pools/pool-usage'],
    watcher: ['payments/unassigned-payments', 'payments/leases', 'pools/refill-pools'],
  },
  'pools/pool-conditions': { store: [], watcher: ['pools/refill-pools', 'pools/address-limits'] },
  'pools/pool-refills': {
    store: [],
    watcher: [
      'pools/refill-pools',
      'pools/address-limits',
      'pools/read-histories',
      'pools/promote-addresses',
    ],
  },
  'pools/pool-promotions': {
    store: [],
    watcher: ['pools/promote-addresses', 'pools/address-limits', 'pools/read-histories'],
  },
  'pools/pool-returns': {
    store: [],
    watcher: ['pools/promote-addresses', 'payments/unassigned-payments', 'payments/leases'],
  },
};

function statements(): Part {
  const folder = 'packages/store/src';
  return {
    name: 'statements',
    floor: 0.8,
    needsServers: true,
    files: existing(
      Object.keys(STATEMENTS).map((name) => `${folder}/${name}${name.endsWith('.sql') ? '' : '.ts'}`),
    ),
    suitesOf: (file) => {
      const { store = [], watcher: watchers = [] } =
        STATEMENTS[file.slice(`${folder}/`.length).replace(/\.ts$/, '')] ?? {};
      return [
        ...suite('packages/store', store),
        ...suite('services/watcher', watchers.slice(0, 1)),
        ...suite('services/watcher', watchers.slice(1)),
      ];
    },
  };
}

function suite(workspace: string, tests: readonly string[]): Suite[] {
  return tests.length > 0 ? [{ workspace, tests: tests.map((test) => `test/${test}.test.ts`) }] : [];
}

/** Throws for missing files, so that a renamed module is not forgotten. */
function existing(files: readonly string[]): readonly string[] {
  const missing = files.filter((file) => !existsSync(join(repositoryFolder, file)));
  if (missing.length > 0) throw new Error(`no such files to mutate: ${missing.join(', ')}`);
  return files;
}
