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

/** Number of addresses searched from index 0 and around the start index. Takes about two seconds. */
const SEARCHED = 1000;
const CHUNK = 50;
/** A history scan ends or fails earlier. */
const HISTORY_TIMEOUT_MS = 150_000;
const POLL_MS = 500;

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
    .description('register and verify a wallet for an account, at once; without --apply it is a dry run')
    .addArgument(emailArgument())
    .addArgument(currencyArgument())
    .requiredOption('--key-file <file>', 'file with the extended public key, or - for standard input')
    .requiredOption('--address <address>', 'receive address shown by the merchant’s wallet software')
    .addOption(
      new Option('--script-type <type>', 'needed if the key does not imply it').choices(SCRIPT_TYPES),
    )
    .option('--derivation-path <path>', "origin of the key, for example \"m/84'/0'/0'\"")
    .option('--gap-limit <n>', 'gap limit of the wallet software', wholeNumber(gapLimit.min, gapLimit.max))
    .option('--start-index <n>', 'treat lower indexes as used', wholeNumber(startIndex.min, 999_999_999))
    .option('--apply', 'register and verify it')
    .option('--no-wait', 'do not wait for the history scan')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch wallets import shop@example.com BTC --key-file key.txt --address bc1q…',
          'dry run; checks the key',
        ],
        [
          'paywatch wallets import shop@example.com BTC --key-file key.txt --address bc1q… --start-index 480 --apply',
          'start after the addresses of the old system',
        ],
      ]) +
        '\nThe address proves that key, script type and path are right. Addresses with a history are not used if a node or' +
        '\nan Esplora server can find it. The key is never printed. Reads DATABASE_URL, BTC_NETWORK, LTC_NETWORK and DEFAULT_GAP_LIMIT.\n',
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
    const pool = await waitForHistory(line, database, projectId, currency, options.wait);
    return importAnswer({ ...facts, gapLimit }, pool);
  });
}

function parseKey(currency: Currency, network: Network, text: string, options: Options): WalletKey {
  const { scriptType, derivationPath } = options;
  const parsed = parseWalletKey({ currency, xpub: text.trim(), scriptType, derivationPath }, network);
  if (parsed.ok) return parsed.value;
  throw new CommandFailure(parsed.problem.message);
}

/** Finds the index of the address. Throws CommandFailure if it is not near index 0 or the start index. */
function findIndex(key: WalletKey, { address, startIndex = 0 }: Options): number {
  const script = addressToScript(address, key.currency, key.network);
  if (!script.ok) throw new CommandFailure(`--address: ${script.problem.message}`);
  const wanted = Buffer.from(script.value);
  for (const begin of new Set([0, Math.max(0, startIndex - SEARCHED / 2)]))
    for (let start = begin; start < begin + SEARCHED; start += CHUNK) {
      const found = deriveReceiveAddresses(key, start, CHUNK).find((each) => wanted.equals(each.script));
      if (found) return found.index;
    }
  throw new CommandFailure(
    `The wallet does not have this address as ${key.scriptType} on branch ${key.branch} at indexes 0 to ${SEARCHED - 1} or around the start index.`,
    'Check --script-type and --derivation-path, or use another receive address.',
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
  });
  if (!(await verifyWallet(database, byOperator, projectId, wallet)))
    throw new CommandFailure('The account registered another wallet concurrently.', 'Run the command again.');
}

/** Waits for the history scan of the wallet's pool; until then no address is leased. */
async function waitForHistory(
  line: CommandLine,
  database: Database,
  projectId: bigint,
  currency: Currency,
  wait: boolean,
): Promise<PoolInspection> {
  const untilMs = systemClock.nowMs() + HISTORY_TIMEOUT_MS;
  for (;;) {
    const [pool] = await inspectPools(database, projectId, currency);
    if (!pool) throw new CommandFailure('The wallet was replaced concurrently.');
    const isDone = !wait || isScanned(pool) || systemClock.nowMs() > untilMs;
    if (isDone) return pool;
    line.showProgress('Waiting for a watcher to scan the history of the wallet');
    await pause(POLL_MS);
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
      history_read: pool && isScanned(pool),
      last_used_index: pool && pool.lastUsedIndex,
      highest_index: pool && pool.highestIndex,
    },
    text: blocks(
      fields([
        ['Wallet', `${email}, ${key.currency}`],
        ['Key', `${shortenedKey(key.xpub)}, ${key.scriptType}, receive branch ${key.branch}`],
        ['Index of the address', foundAt],
        ['Address at index 0', first],
        ['Gap limit', gapLimit],
        ['Start index', startIndex],
      ]),
      pool === null
        ? 'Dry run: nothing was changed. Run the command with --apply to import.'
        : openText(pool),
    ),
  };
}

/** Whether the history scan is complete. */
function isScanned({ historyCheckedAt, historyWantedAt }: PoolInspection): boolean {
  return historyCheckedAt !== null && historyWantedAt === null;
}

function openText(pool: PoolInspection): string {
  const history = !isScanned(pool)
    ? 'Its history scan is not complete; invoices are possible afterwards. Check that a watcher is running.'
    : `Its history scan is complete. Last used index: ${pool.lastUsedIndex ?? 'none'}.`;
  return `The wallet is verified and active. ${history}\nThe wallet software must find payments up to index ${pool.highestIndex}.`;
}
