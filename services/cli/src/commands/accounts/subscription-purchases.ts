import { formatCoins } from '@paywatch/domain/values';
import { loadSnapshotsById, type StoredSnapshot } from '@paywatch/store/invoices';
import { applyPurchase, listPurchases, type PurchaseSummary } from '@paywatch/store/subscriptions';
import type { Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { invoiceArgument, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, readInvoiceConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { snapshotSettings } from '../../snapshot-settings.ts';
import { shownMoment, table } from '../../terminal/text.ts';

/** `paywatch subscriptions purchases` and `honour` */
export function addPurchaseCommands(group: Command, line: CommandLine): void {
  group
    .command('purchases')
    .description('list purchases of subscriptions, newest first')
    .option('--undecided', 'only late or partial payments that extended no subscription')
    .option('--limit <n>', 'maximum number of results', wholeNumber(1, 1000), 50)
    .addHelpText(
      'after',
      examples([
        ['paywatch subscriptions purchases', 'all purchases and their status'],
        ['paywatch subscriptions purchases --undecided', 'payments that you have to decide about'],
      ]),
    )
    .action(line.action((options: ListOptions) => list(line.env, options)));
  group
    .command('honour')
    .description('extend a subscription despite a late or partial payment; once per invoice')
    .addArgument(invoiceArgument())
    .addHelpText(
      'after',
      examples([['paywatch subscriptions honour inv_8yXq3mJ2NdPz5KcVh7RtWb', 'adds the purchased days']]),
    )
    .action(line.action((publicId: string) => honour(line.env, publicId)));
}

type ListOptions = { undecided?: true; limit: number };

async function list(env: Env, { undecided, limit }: ListOptions): Promise<Answer> {
  const config = readInvoiceConfig(env);
  return withDatabase(config, async (database) => {
    const isUndecided = undecided === true;
    const purchases = await listPurchases(database, { projectId: null, limit, isUndecided });
    const ids = purchases.map(({ invoiceId }) => invoiceId);
    const snapshots = await loadSnapshotsById(database.sql, ids, snapshotSettings(config));
    const invoices = new Map(snapshots.map((snapshot) => [snapshot.invoiceId, snapshot]));
    return listAnswer(
      purchases.flatMap((purchase) => {
        const invoice = invoices.get(purchase.invoiceId);
        return invoice ? [{ purchase, invoice }] : [];
      }),
    );
  });
}

type Bought = { purchase: PurchaseSummary; invoice: StoredSnapshot };

function listAnswer(all: readonly Bought[]): Answer {
  const rows = all.map(({ purchase, invoice }) => [
    purchase.createdAt,
    purchase.email,
    invoice.publicId,
    `${formatCoins(purchase.amount)} ${purchase.currency}`,
    purchase.days,
    invoice.isReversed ? `${invoice.status}, reversed` : invoice.status,
    purchase.grantedAt,
  ]);
  return {
    json: { data: all.map(purchaseJson) },
    text: table(['TIME', 'BUYER', 'INVOICE', 'PRICE', 'DAYS', 'STATUS', 'EXTENDED'], rows, 'No purchases.'),
  };
}

function purchaseJson({ purchase, invoice }: Bought) {
  return {
    email: purchase.email,
    public_id: invoice.publicId,
    currency: purchase.currency,
    amount: String(purchase.amount),
    days: purchase.days,
    status: invoice.status,
    reversed: invoice.isReversed,
    extended_at: purchase.grantedAt?.toISOString() ?? null,
    created_at: purchase.createdAt.toISOString(),
  };
}

async function honour(env: Env, publicId: string): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const outcome = await applyPurchase(database, publicId, ACTOR);
    if (outcome.kind === 'no_purchase')
      throw new CommandFailure(
        `${publicId} is not a purchase of a subscription.`,
        'See `paywatch subscriptions purchases`.',
      );
    if (outcome.kind === 'already_extended')
      throw new CommandFailure(`${publicId} already extended a subscription at ${shownMoment(outcome.at)}.`);
    return {
      json: { public_id: publicId, active_until: outcome.until.toISOString() },
      text: `The subscription is active until ${shownMoment(outcome.until)}.`,
    };
  });
}
