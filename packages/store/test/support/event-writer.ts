/** A process that writes an outcome and its event, reports it, and never commits: for a test that kills it there. */
import { openDatabase } from '../../src/postgres/database.ts';
import { insertEvent } from '../../src/webhooks/events.ts';

const [url = '', projectId = '', invoiceId = '', publicId = ''] = process.argv.slice(2);
const { sql } = openDatabase({ url, applicationName: 'event-writer', poolSize: 1 });
await sql.begin(async (tx) => {
  await tx`update invoices set status = 'expired', version = version + 1 where id = ${invoiceId}`;
  await insertEvent(tx, {
    publicId,
    projectId: BigInt(projectId),
    invoiceId: BigInt(invoiceId),
    type: 'invoice.expired',
    txid: null,
    body: '{}',
  });
  process.stdout.write('written');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
