import { waitUntil } from '@paywatch/dev';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCertificateAuthority } from '../../../infra/dev/src/certificates.ts';
import { startReceiver, type Receiver } from '../../../infra/dev/src/receiver.ts';
import { causeEvent, createProject, readDelivery, setEndpoint } from './support/merchant.ts';
import { openTestBench, type TestBench } from './support/worker.ts';
import { mkdtempSync } from 'node:fs';

let bench: TestBench;
let receiver: Receiver;

beforeAll(async () => {
  const authority = await createCertificateAuthority(mkdtempSync('/tmp/paywatch-ca-'));
  receiver = await startReceiver({ certificate: await authority.issue() });
  bench = await openTestBench({ ca: authority.caPem, allowedHosts: new Set(['localhost']) });
});
afterAll(async () => {
  await bench.close();
  await receiver.stop();
});

test('an event reaches the endpoint byte for byte and is recorded as delivered', async () => {
  const project = await createProject(bench.store);
  const secret = await setEndpoint(bench.store, bench.sealer, project, receiver.url);
  receiver.setSecrets(secret);
  await bench.startWorker();
  const { id, body } = await causeEvent(bench.store, project);
  await waitUntil(() => receiver.received.length > 0, { what: 'a request', timeoutMs: 8000 }).catch((e) => {
    console.log(bench.logLines.join(''));
    throw e;
  });
  const delivery = await waitUntil(
    async () => {
      const d = await readDelivery(bench.store, id);
      return d?.status === 'delivered' && d;
    },
    { what: 'a record' },
  );
  expect(receiver.received[0]).toMatchObject({ rawBody: body, refusal: undefined });
  expect(delivery).toMatchObject({ attempts: 1, dueInMs: null });
});
