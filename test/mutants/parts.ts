import { repositoryFolder } from '@paywatch/dev/stack';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Test files of a workspace, relative to it, or all that import the mutated file; without those of a pattern. */
export type Suite = { workspace: string; tests: readonly string[] | 'related'; without?: string };

/** Files whose mutants are scored together. */
export type Part = {
  name: string;
  /** The least score that is accepted. */
  floor: number;
  /** Whether its tests need Postgres and Redis. */
  needsServers: boolean;
  /** Relative to the repository. */
  files: readonly string[];
  /** Tried in this order until one of them fails. */
  suitesOf(file: string): readonly Suite[];
};

/** What `npm run mutants` looks at. */
export function mutatedParts(): Part[] {
  return [domain(), watcher(), statements()];
}

/** Modules of the domain that are no rule of an invoice, a chain or a key: texts, formats, and what guards other things than money. */
const OTHER_MODULES = new Set(
  'address-classes,app-error,base58-id,checked,client-spread,coins,error-codes,index,metadata-addresses,parse-error,parse-request,retry-plan,stream-message,webhook-event,webhook-signature,webhook-target'.split(
    ',',
  ),
);

function domain(): Part {
  const workspace = 'packages/domain';
  const modules = readdirSync(join(repositoryFolder, workspace, 'src'))
    .filter((name) => name.endsWith('.ts') && !OTHER_MODULES.has(basename(name, '.ts')))
    .toSorted();
  return {
    name: 'domain',
    floor: 0.9,
    needsServers: false,
    files: modules.map((name) => `${workspace}/src/${name}`),
    suitesOf: (file) => {
      const own = `test/${basename(file, '.ts')}.test.ts`;
      const hasOwn = existsSync(join(repositoryFolder, workspace, own));
      // The contract's tests know the rules by their imports alone, and take longest.
      const related = { workspace, tests: 'related', without: 'test/contract/**' } as const;
      return [...(hasOwn ? [{ workspace, tests: [own] }] : []), related];
    },
  };
}

/** Modules of the watcher and the tests that hold them to their promises, the nearest first. */
const WATCHER: Readonly<Record<string, readonly string[]>> = {
  'attribute-payments': ['leases', 'unassigned-payments', 'outcomes', 'litecoin', 'record-outputs'],
  'record-outputs': [
    'record-outputs',
    'unassigned-payments',
    'outcomes',
    'leases',
    'litecoin',
    'rescan-chain',
  ],
  'settle-invoices': [
    'outcomes',
    'deadlines',
    'parked-invoices',
    'subscriptions',
    'record-outputs',
    'leases',
  ],
  'settle-due': ['sweepers', 'deadlines', 'parked-invoices', 'outcomes'],
  'withhold-unagreed': ['node/watch-sources', 'outcomes'],
  'seek-agreements': ['node/watch-sources'],
  'node/choose-source': ['node/choose-source', 'node/source-pool'],
  'node/source-pool': ['node/source-pool', 'node/watch-sources'],
  'node/checked-source': ['node/forged-chains', 'node/source-pool'],
  'node/header-chain': ['node/forged-chains', 'node/source-pool'],
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

/** The statements that settle, attribute and lease. What the store's own tests do not reach, those of the watcher do. */
const STATEMENTS: Readonly<Record<string, { store: readonly string[]; watcher: readonly string[] }>> = {
  settlement: { store: [], watcher: ['outcomes', 'deadlines', 'sweepers', 'record-outputs'] },
  payments: { store: ['payments'], watcher: ['leases', 'record-outputs', 'unassigned-payments', 'litecoin'] },
  transactions: { store: [], watcher: ['record-outputs', 'outcomes', 'litecoin', 'rescan-chain'] },
  agreements: { store: [], watcher: ['node/watch-sources'] },
  'pool-usage': { store: ['pool-usage'], watcher: ['unassigned-payments', 'leases', 'refill-pools'] },
  'statements/create-invoice.sql': {
    store: ['invoice-creation', 'idempotency', 'creation-without-redis'],
    watcher: [],
  },
  'invoice-creation': { store: ['invoice-creation', 'idempotency', 'creation-without-redis'], watcher: [] },
  pools: { store: ['invoice-creation', 'invoices'], watcher: ['leases', 'refill-pools', 'check-pools'] },
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

/** A module that was renamed must not fall out of sight. */
function existing(files: readonly string[]): readonly string[] {
  const missing = files.filter((file) => !existsSync(join(repositoryFolder, file)));
  if (missing.length > 0) throw new Error(`no such files to mutate: ${missing.join(', ')}`);
  return files;
}
