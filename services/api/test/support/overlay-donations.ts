import { type AddedDonation, insertOverlayDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishOverlayDonations } from '@paywatch/store/redis';
import type { TestAccount, TestApi } from './api.ts';

type Donor = { name?: string | null; message?: string | null };

let transactions = 0;

/** What the watcher does when a donation's transaction confirms, without the publication. */
export async function confirmDonation(
  api: TestApi,
  { projectId }: TestAccount,
  { name = null, message = null }: Donor,
): Promise<AddedDonation> {
  transactions += 1;
  const txid = transactions.toString(16).padStart(64, '0');
  return inTransaction(api.store, async (tx) => {
    const [invoice] = await tx<{ id: bigint }[]>`
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        confirmations_required, donor_name, donor_message, ttl_seconds, expires_at, deadline_at)
      values (${`inv_${txid}`}, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, ${name}, ${message}, 60, now(), now())
      returning id`;
    const invoiceId = invoice!.id;
    const added = await insertOverlayDonation(tx, { invoiceId, projectId, txid, amount: 1000n });
    // A settlement may be repeated, for example after a reorg.
    if ((await insertOverlayDonation(tx, { invoiceId, projectId, txid, amount: 1000n })) !== null)
      throw new Error('a repeated settlement added the donation twice');
    return added!;
  });
}

/** The same with the publication. */
export async function donate(api: TestApi, account: TestAccount, donor: Donor): Promise<void> {
  await publishOverlayDonations(api.store, [await confirmDonation(api, account, donor)]);
}
