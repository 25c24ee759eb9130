import { addressToScript, SCRIPT_TYPES, type Network, type ScriptType } from '@paywatch/domain/chain';
import {
  deriveReceiveAddress,
  deriveReceiveAddresses,
  parseWalletKey,
  type WalletKey,
} from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import { LIMITS } from '@paywatch/domain/contract';
import { pause, systemClock } from '@paywatch/runtime/process';
import { byOperator } from '@paywatch/store/accounts';
import { inspectPools, registerWallet, verifyWallet, type PoolInspection } from '@paywatch/store/pools';
import type { Database } from '@paywatch/store/postgres';
import { Option, type Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { currencyArgument, emailArgument, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readWalletConfig } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { readGivenFile } from '../../input/read-given-file.ts';
import { shortenedKey } from '../../terminal/shortened-key.ts';
import { blocks, fields } from '../../terminal/text.ts';

/** Addresses looked at around index 0 and around the start index: about two seconds. */
const NEARBY = 1000;
const CHUNK = 50;
/** A history is read, or given up, by then. */
const HISTORY_MS = 150_000;
const LOOK_MS = 500;

type Options = {
  keyFile: string;
  address: string;
  scriptType?: ScriptType;
  derivationPath?: string;
  gapLimit?: number;
  startIndex?: number;
  apply?: true;
  wait: boolean;
};

/** `paywatch wallets import` */
export function addWalletImportCommand(group: Command, line: CommandLine): void {
  const { gapLimit, startIndex } = LIMITS;
  group
    .command('import')
    .description('bring the wallet of an account, used or new; without --apply only says what it is')
    .addArgument(emailArgument())
    .addArgument(currencyArgument())
    .requiredOption('--key-file <file>', 'file with the extended public key, or - for standard input')
    .requiredOption('--address <address>', 'a receive address that the merchant’s own software shows')
    .addOption(new Option('--script-type <type>', 'if the key does not tell').choices(SCRIPT_TYPES))
    .option('--derivation-path <path>', "origin of the key, as in \"m/84'/0'/0'\"")
    .option('--gap-limit <n>', 'how far the wallet software looks', wholeNumber(gapLimit.min, gapLimit.max))
    .option('--start-index <n>', 'indexes below count as used', wholeNumber(startIndex.min, 999_999_999))
    .option('--apply', 'register and verify it')
    .option('--no-wait', 'do not wait until its history is read')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch wallets import shop@example.com BTC --key-file key.txt --address bc1q…',
          'is the key right?',
        ],
        [
          'paywatch wallets import shop@example.com BTC --key-file key.txt --address bc1q… --start-index 480 --apply',
          'behind all that the old system gave out',
        ],
      ]) +
        '\nThe address proves key, script type and path. Addresses with a history are never given out, where a node or an' +
        '\nEsplora server can tell. The key is never printed. Reads DATABASE_URL, BTC_NETWORK, LTC_NETWORK and DEFAULT_GAP_LIMIT.\n',
    )
    .action(
      line.action((email: string, currency: Currency, options: Options) =>
        importWallet(line, email, currency, options),
      ),
    );
}

async function importWallet(
  line: CommandLine,
  email: string,
  currency: Currency,
  options: Options,
): Promise<Answer> {
  const config = readWalletConfig(line.env);
  const key = parseKey(
    currency,
    config.networks[currency],
    await readGivenFile(line, options.keyFile),
    options,
  );
  const foundAt = findIndex(key, options);
  return withDatabase(config, async (database) => {
    const { projectId } = await requireAccount(database, email);
    const facts = { email, key, foundAt, startIndex: options.startIndex ?? 0 };
    const gapLimit = options.gapLimit ?? config.DEFAULT_GAP_LIMIT;
    if (options.apply !== true) return importAnswer({ ...facts, gapLimit }, null);
    await register(database, projectId, key, { gapLimit, startIndex: facts.startIndex });
    const pool = await untilOpen(line, database, projectId, currency, options.wait);
    return importAnswer({ ...facts, gapLimit }, pool);
  });
}

function parseKey(currency: Currency, network: Network, text: string, options: Options): WalletKey {
  const { scriptType, derivationPath } = options;
  const parsed = parseWalletKey({ currency, xpub: text.trim(), scriptType, derivationPath }, network);
  if (parsed.ok) return parsed.value;
  throw new CommandFailure(parsed.problem.message);
}

/** Where in the wallet the address is. Throws CommandFailure for one that is not near the beginning or the start index. */
function findIndex(key: WalletKey, { address, startIndex = 0 }: Options): number {
  const script = addressToScript(address, key.currency, key.network);
  if (!script.ok) throw new CommandFailure(`--address: ${script.problem.message}`);
  const wanted = Buffer.from(script.value);
  for (const begin of new Set([0, Math.max(0, startIndex - NEARBY / 2)]))
    for (let start = begin; start < begin + NEARBY; start += CHUNK) {
      const found = deriveReceiveAddresses(key, start, CHUNK).find((each) => wanted.equals(each.script));
      if (found) return found.index;
    }
  throw new CommandFailure(
    `The address is none of the wallet’s: not as ${key.scriptType} on branch ${key.branch}, at indexes 0 to ${NEARBY - 1} or around the start index.`,
    'Look at --script-type and --derivation-path, or take another receive address.',
  );
}

async function register(
  database: Database,
  projectId: bigint,
  key: WalletKey,
  { gapLimit, startIndex }: { gapLimit: number; startIndex: number },
): Promise<void> {
  const { currency, identity: keyId, xpub, scriptType, branch, derivationPath } = key;
  const verificationAddress = deriveReceiveAddress(key, 0).address;
  const registration = { projectId, currency, keyId, xpub, scriptType, branch, derivationPath };
  const wallet = await registerWallet(database, byOperator, {
    ...registration,
    verificationAddress,
    gapLimit,
    startIndex,
    actor: ACTOR,
  });
  if (!(await verifyWallet(database, byOperator, projectId, wallet, ACTOR)))
    throw new CommandFailure('The account registered another wallet in this moment.', 'Run this again.');
}

/** The pool of the wallet, once its history is read: until then it gives out nothing. */
async function untilOpen(
  line: CommandLine,
  database: Database,
  projectId: bigint,
  currency: Currency,
  wait: boolean,
): Promise<PoolInspection> {
  const untilMs = systemClock.nowMs() + HISTORY_MS;
  for (;;) {
    const [pool] = await inspectPools(database, projectId, currency);
    if (!pool) throw new CommandFailure('The wallet was replaced in this moment.');
    const isOver = !wait || isRead(pool) || systemClock.nowMs() > untilMs;
    if (isOver) return pool;
    line.showProgress('Waiting until a watcher has read the history of the wallet');
    await pause(LOOK_MS);
  }
}

type ImportFacts = { email: string; key: WalletKey; foundAt: number; gapLimit: number; startIndex: number };

function importAnswer(facts: ImportFacts, pool: PoolInspection | null): Answer {
  const { email, key, foundAt, gapLimit, startIndex } = facts;
  const first = deriveReceiveAddress(key, 0).address;
  return {
    json: {
      email,
      currency: key.currency,
      applied: pool !== null,
      key: shortenedKey(key.xpub),
      script_type: key.scriptType,
      branch: key.branch,
      address_index: foundAt,
      verification_address: first,
      gap_limit: gapLimit,
      start_index: startIndex,
      history_read: pool && isRead(pool),
      last_used_index: pool && pool.lastUsedIndex,
      highest_index: pool && pool.highestIndex,
    },
    text: blocks(
      fields([
        ['Wallet', `${email}, ${key.currency}`],
        ['Key', `${shortenedKey(key.xpub)}, ${key.scriptType}, receive branch ${key.branch}`],
        ['The address is at index', foundAt],
        ['Address at index 0', first],
        ['Gap limit', gapLimit],
        ['Indexes below count as used', startIndex],
      ]),
      pool === null ? 'Nothing was changed. To do it: the same with --apply.' : openText(pool),
    ),
  };
}

/** Its first addresses are leasable, and the last used index is found. */
function isRead({ historyCheckedAt, historyWantedAt }: PoolInspection): boolean {
  return historyCheckedAt !== null && historyWantedAt === null;
}

function openText(pool: PoolInspection): string {
  const history = !isRead(pool)
    ? 'Its history is not read yet: is a watcher running? Invoices are possible after that.'
    : `Its history is read; the last used index is ${pool.lastUsedIndex ?? 'none'}.`;
  return `The wallet is verified and serves from now on. ${history}\nThe wallet software must find payments up to index ${pool.highestIndex}.`;
}
