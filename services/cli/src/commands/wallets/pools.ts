import type { Currency } from '@paywatch/domain/values';
import { inspectPools, secondsUntilNextAddress, type PoolInspection } from '@paywatch/store/pools';
import type { Command } from 'commander';
import { currencyArgument, emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readPoolConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { blocks, fields, table } from '../../terminal/text.ts';

/** `paywatch pools …` */
export function addPoolCommands(program: Command, line: CommandLine): void {
  const group = program.command('pools').description('address pools of wallets');
  group
    .command('inspect')
    .description('show how many addresses of a wallet are derived, fresh, leased, released and retired')
    .addArgument(emailArgument())
    .addArgument(currencyArgument())
    .addHelpText(
      'after',
      examples([['paywatch pools inspect shop@example.com BTC', 'find the reason for address_pool_busy']]),
    )
    .action(line.action((email: string, currency: Currency) => inspect(line.env, email, currency)));
}

async function inspect(env: Env, email: string, currency: Currency): Promise<Answer> {
  const config = readPoolConfig(env);
  return withDatabase(config, async (database) => {
    const { projectId } = await requireAccount(database, email);
    const pools = await inspectPools(database, projectId, currency);
    if (pools.length === 0) throw new CommandFailure(`${email} has no ${currency} wallet.`);
    const request = { projectId, currency, quarantineSeconds: config.QUARANTINE_SECONDS } as const;
    const nextFreeSeconds = await secondsUntilNextAddress(database.sql, { ...request, invoiceType: 'order' });
    return {
      json: { email, currency, pools: pools.map(poolJson), next_address_seconds: nextFreeSeconds },
      text: blocks(...pools.map(poolText), waitText(nextFreeSeconds)),
    };
  });
}

function poolJson(pool: PoolInspection) {
  return {
    wallet_status: pool.walletStatus,
    script_type: pool.scriptType,
    derivation_path: pool.derivationPath,
    branch: pool.branch,
    verification_address: pool.verificationAddress,
    owner: pool.isOwner,
    projects: pool.projects,
    gap_limit: pool.gapLimit,
    start_index: pool.startIndex,
    last_used_index: pool.lastUsedIndex,
    next_index: pool.nextIndex,
    highest_index: pool.highestIndex,
    derived_until: pool.derivedUntil,
    limited_since: pool.limitedSince?.toISOString() ?? null,
    history_checked_at: pool.historyCheckedAt?.toISOString() ?? null,
    history_wanted_at: pool.historyWantedAt?.toISOString() ?? null,
    oldest_lease_at: pool.oldestLeaseAt?.toISOString() ?? null,
    addresses: pool.addresses.map(({ addressClass, ...counts }) => ({ class: addressClass, ...counts })),
  };
}

function poolText(pool: PoolInspection): string {
  const rows = pool.addresses.map((count) => [
    count.addressClass,
    count.derived,
    count.fresh,
    count.leased,
    count.released,
    count.retired,
  ]);
  return blocks(
    fields([
      ['Wallet', `${pool.walletStatus}, ${pool.scriptType}, verified by ${pool.verificationAddress}`],
      ['Derivation', `${pool.derivationPath ?? 'unknown origin'}, receive branch ${pool.branch}`],
      ['Owner of the pool', pool.isOwner],
      ['Projects sharing the pool', pool.projects],
      ['Window', `next ${pool.nextIndex}, highest ${pool.highestIndex}, derived below ${pool.derivedUntil}`],
      ['Gap limit', `${pool.gapLimit} past the last used index (${pool.lastUsedIndex ?? 'none yet'})`],
      ['Account limit reached', pool.limitedSince],
      ['First addresses leasable', pool.historyCheckedAt],
      ['Waiting for a history scan', pool.historyWantedAt],
      ['Oldest open lease', pool.oldestLeaseAt],
    ]),
    table(['CLASS', 'DERIVED', 'FRESH', 'LEASED', 'RELEASED', 'RETIRED'], rows, 'No addresses derived yet.'),
  );
}

function waitText(seconds: number | null): string {
  return seconds === null
    ? ''
    : `The next address leaves quarantine in ${Math.max(0, seconds)} s; new addresses may be derived earlier.`;
}
