import {
  findUnassignedPosition,
  listUnassignedPayments,
  type UnassignedPayment,
} from '@paywatch/store/payments';
import { InvalidArgumentError, type Command } from 'commander';
import { emailArgument, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { blocks, table } from '../../terminal/text.ts';

/** `paywatch payments …` */
export function addPaymentCommands(program: Command, line: CommandLine): void {
  const group = program.command('payments').description('payments to wallets');
  group
    .command('unassigned')
    .description('list payments to an account without an invoice, newest first')
    .addArgument(emailArgument())
    .option('--limit <n>', 'maximum number of results', wholeNumber(1, 1000), 50)
    .option('--cursor <outpoint>', 'continue after the previous page', parseOutpoint)
    .addHelpText(
      'after',
      examples([
        ['paywatch payments unassigned shop@example.com', 'payments to addresses that no invoice had leased'],
      ]),
    )
    .action(line.action((email: string, options: ListOptions) => list(line.env, email, options)));
}

type Outpoint = { txid: string; vout: number };
type ListOptions = { limit: number; cursor?: Outpoint };

async function list(env: Env, email: string, { limit, cursor }: ListOptions): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    const before = cursor && (await findUnassignedPosition(database, projectId, cursor));
    if (before === null) throw new CommandFailure(`${email} has no such payment.`);
    const payments = await listUnassignedPayments(database, projectId, { limit: limit + 1, before });
    const page = payments.slice(0, limit);
    const last = payments.length > limit ? page.at(-1) : undefined;
    return answer(page, last === undefined ? null : outpointOf(last));
  });
}

function answer(page: readonly UnassignedPayment[], next: string | null): Answer {
  const rows = page.map((payment) => [
    payment.firstSeenAt,
    payment.currency,
    payment.amount,
    payment.addressIndex,
    payment.address,
    payment.confirmations,
    payment.isVoid,
    outpointOf(payment),
  ]);
  const headers = [
    'FIRST SEEN',
    'CURRENCY',
    'AMOUNT',
    'INDEX',
    'ADDRESS',
    'CONFIRMATIONS',
    'VOID',
    'OUTPOINT',
  ];
  return {
    json: { data: page.map(paymentJson), next_cursor: next },
    text: blocks(
      table(headers, rows, 'No payments without an invoice.'),
      next === null ? '' : `Next page: --cursor ${next}`,
    ),
  };
}

function paymentJson(payment: UnassignedPayment) {
  return {
    currency: payment.currency,
    txid: payment.txid,
    vout: payment.vout,
    address: payment.address,
    address_index: payment.addressIndex,
    amount: String(payment.amount),
    void: payment.isVoid,
    confirmations: payment.confirmations,
    block_height: payment.blockHeight,
    block_hash: payment.blockHash,
    first_seen_at: payment.firstSeenAt.toISOString(),
  };
}

function outpointOf({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`;
}

function parseOutpoint(text: string): Outpoint {
  const [, txid, vout] = /^([0-9a-f]{64}):([0-9]{1,9})$/.exec(text) ?? [];
  if (txid === undefined) throw new InvalidArgumentError('Expected txid:vout from the previous page.');
  return { txid, vout: Number(vout) };
}
