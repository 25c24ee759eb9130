import type { ReceiveKey } from '@paywatch/domain/keys';
import { type Currency, CURRENCIES, formatCoins } from '@paywatch/domain/values';

import type { Store } from '@paywatch/store';
import { importOrders, transactionTime, type OrderImport, type OrderRefusal } from '@paywatch/store/invoices';
import { findServingWallet } from '@paywatch/store/pools';
import type { AccountIds } from '@paywatch/store/subscriptions';
import type { Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readImportConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withStore } from '../../open-store.ts';
import { readOrderFile, type FileFault, type FileOrder } from '../../input/order-file.ts';
import { readGivenFile } from '../../input/read-given-file.ts';
import { blocks, shown, table } from '../../terminal/text.ts';

/** `paywatch orders …` */
export function addOrderCommands(program: Command, line: CommandLine): void {
  const group = program.command('orders').description('import of open orders from another system');
  group
    .command('import')
    .description('import open orders from a CSV file; without --apply it is a dry run')
    .addArgument(emailArgument())
    .argument('<file>', 'CSV file, or - for standard input')
    .option('--apply', 'import all orders of the file, or none')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch orders import shop@example.com open-orders.csv',
          'dry run; lists all errors with their lines',
        ],
        ['paywatch orders import shop@example.com open-orders.csv --apply', 'import; safe to repeat'],
      ]) +
        `
Columns, in any order: order_id, currency, address_index, address, expected_amount (satoshi or litoshi), created_at,
expires_at, and optionally return_url. Each order leases its address. Payments since created_at are found if the node still has
the blocks. New invoices use indexes above the highest one in the file. See docs/migration.md.
Reads DATABASE_URL, REDIS_URL, BTC_NETWORK, LTC_NETWORK, PAYMENT_GRACE_SECONDS and CONFIRMATIONS_*_ORDERS, as the API does.
`,
    )
    .action(
      line.action((email: string, file: string, options: { apply?: true }) =>
        runImport(line, email, file, options.apply !== true),
      ),
    );
}

async function runImport(line: CommandLine, email: string, file: string, isDryRun: boolean): Promise<Answer> {
  const config = readImportConfig(line.env);
  const text = await readGivenFile(line, file);
  return withStore(config, async (store) => {
    const account = await requireAccount(store, email);
    const keys = await loadKeys(store, account, config.networks);
    const { confirmations } = config;
    // Not this computer's clock: an order of this minute would lie in the future of one that is behind.
    const nowMs = await transactionTime(store.sql);
    const { orders, faults } = readOrderFile(text, { keys, confirmations, nowMs });
    if (faults.length > 0) return faultAnswer(faults);
    const outcome = await importOrders(store, orders, {
      projectId: account.projectId,
      graceSeconds: config.PAYMENT_GRACE_SECONDS,
      actor: ACTOR,
      isDryRun,
    });
    return outcome.refusals.length > 0
      ? faultAnswer(outcome.refusals.map((refusal) => refusalFault(orders, refusal)))
      : importAnswer(orders, outcome, isDryRun);
  });
}

async function loadKeys(
  store: Store,
  { projectId }: AccountIds,
  networks: Readonly<Record<Currency, ReceiveKey['network']>>,
): Promise<Map<Currency, ReceiveKey>> {
  const wallets = await Promise.all(
    CURRENCIES.map((currency) => findServingWallet(store, projectId, currency)),
  );
  return new Map(
    wallets.flatMap((wallet) =>
      wallet === null ? [] : [[wallet.currency, { ...wallet, network: networks[wallet.currency] }] as const],
    ),
  );
}

const REASONS: Record<OrderRefusal, { column: string; message: string }> = {
  order_id_taken: {
    column: 'order_id',
    message: 'This order was already imported with another address or amount.',
  },
  address_given_out: {
    column: 'address_index',
    message: 'Was already leased to another invoice: two systems use the same indexes.',
  },
  address_in_use: { column: 'address', message: 'Is leased by an open invoice.' },
  expired: { column: 'expires_at', message: 'Must be in the future. Remove the order or extend it.' },
  no_wallet: { column: 'currency', message: 'The account has no verified wallet for this currency.' },
  not_owner: {
    column: 'currency',
    message: 'Another account verified this key first and owns its addresses.',
  },
  no_subscription: {
    column: 'order_id',
    message: 'The account has no active subscription. See `paywatch subscriptions grant`.',
  },
};

function refusalFault(
  orders: readonly FileOrder[],
  { position, reason }: OrderImport['refusals'][number],
): FileFault {
  return { line: orders[position]?.line ?? 0, ...REASONS[reason] };
}

function faultAnswer(faults: readonly FileFault[]): Answer {
  const sorted = faults.toSorted((a, b) => a.line - b.line);
  const lines = sorted.map(({ line, column, message }) =>
    column === null ? `line ${line}: ${message}` : `line ${line}, ${column}: ${message}`,
  );
  return {
    json: { applied: false, faults: sorted },
    text: blocks(lines.map((each) => shown(each)).join('\n'), 'Nothing was imported.'),
    hasProblem: true,
  };
}

function importAnswer(orders: readonly FileOrder[], outcome: OrderImport, isDryRun: boolean): Answer {
  const publicIds = new Map(outcome.imported.map(({ orderId, publicId }) => [orderId, publicId]));
  const fresh = orders.filter(({ orderId }) => publicIds.has(orderId));
  return {
    json: {
      applied: !isDryRun,
      orders: fresh.length,
      present: outcome.present,
      next_indexes: outcome.nextIndexes,
      invoices: isDryRun
        ? []
        : fresh.map(({ orderId }) => ({ order_id: orderId, public_id: publicIds.get(orderId) })),
      faults: [],
    },
    text: blocks(
      fresh.length === 0 ? '' : ordersTable(fresh, isDryRun ? new Map() : publicIds),
      summary(fresh.length, outcome, isDryRun),
    ),
  };
}

function ordersTable(orders: readonly FileOrder[], publicIds: ReadonlyMap<string, string>): string {
  const rows = orders.map((order) => [
    order.orderId,
    `${formatCoins(order.expectedAmount)} ${order.currency}`,
    order.addressIndex,
    order.address,
    order.expiresAt,
    publicIds.get(order.orderId) ?? null,
  ]);
  return table(['ORDER', 'AMOUNT', 'INDEX', 'ADDRESS', 'EXPIRES', 'INVOICE'], rows, '');
}

function summary(count: number, { present, nextIndexes }: OrderImport, isDryRun: boolean): string {
  const next = Object.entries(nextIndexes).map(
    ([currency, index]) =>
      `New ${currency} invoices ${isDryRun ? 'would start' : 'start'} at index ${index}.`,
  );
  return [
    `${isDryRun ? 'To import' : 'Imported'}: ${count}. Already imported: ${present}.`,
    ...next,
    ...(isDryRun
      ? ['Dry run: nothing was changed. Run the command with --apply to import.']
      : [
          'Watchers now scan the blocks since the oldest order. Use `paywatch invoices show` to see payments.',
        ]),
  ].join('\n');
}
