import type { InvoiceView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { InvoiceForm } from '../new-invoice/invoice-form.tsx';
import { KeyForm } from '../keys/key-form.tsx';
import { Result } from '../../parts/form/result.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import type { StartStep } from '../../app/route.ts';
import { TestEvent } from '../events/test-event.tsx';
import { VerifyWallet } from '../wallets/verify-wallet.tsx';
import { WalletForm } from '../wallets/wallet-form.tsx';
import { WebhookForm } from '../webhooks/webhook-form.tsx';

const TASKS: Readonly<Record<StartStep, () => preact.JSX.Element>> = {
  key: KeyTask,
  wallet: WalletTask,
  verify: VerifyTask,
  webhook: WebhookTask,
  invoice: InvoiceTask,
};

/** The task of a step. */
export function StepTask({ step }: { step: StartStep }) {
  const Task = TASKS[step];
  return <Task key={step} />;
}

function KeyTask() {
  return <KeyForm />;
}

function WalletTask() {
  const { navigate } = useSignedInAccount();
  return <WalletForm onRegistered={() => navigate('/account/start/verify')} />;
}

function VerifyTask() {
  const { texts, me } = useSignedInAccount();
  // The state when the step was opened: verifying changes the wallet, which would remove the form and its result.
  const [wallets] = useState(me.project.wallets);
  const open = wallets.filter(({ verified }) => !verified);
  const active = wallets.filter(({ verified }) => verified);
  if (wallets.length === 0) {
    return (
      <p>
        <a class="link" href="/account/start/wallet">
          {texts.start.walletFirst}
        </a>
      </p>
    );
  }
  return (
    <>
      {active.map(({ currency }) => (
        <Notice key={currency} tone="calm" icon="check">
          {texts.start.verified(currency)}
        </Notice>
      ))}
      {open.map((wallet) => (
        <VerifyWallet key={wallet.currency} wallet={wallet} />
      ))}
    </>
  );
}

function WebhookTask() {
  const { texts, me } = useSignedInAccount();
  const { webhook } = me.project;
  return (
    <>
      {webhook === null ? null : (
        <Notice tone="calm" icon="check">
          {texts.start.webhookDone(webhook.url)}
        </Notice>
      )}
      <WebhookForm />
      {webhook === null ? null : (
        <>
          <h3 class="panel__sub">{texts.webhooks.test}</h3>
          <TestEvent />
        </>
      )}
    </>
  );
}

function InvoiceTask() {
  const { texts } = useSignedInAccount();
  const [invoice, setInvoice] = useState<InvoiceView | null>(null);
  if (invoice === null) return <InvoiceForm onCreated={setInvoice} />;
  return (
    <>
      <Result>
        <Notice tone="calm" icon="check" testId="invoice-created">
          {texts.start.invoiceDone}
        </Notice>
      </Result>
      <CopyField value={invoice.pay_url} testId="pay-url" />
      <div class="buttons">
        <a
          class="button button--main"
          href={`/pay/${invoice.public_id}`}
          target="_blank"
          rel="noreferrer"
          data-testid="pay-link"
        >
          {texts.invoice.payPage}
        </a>
        <a class="button" href={`/account/invoices/${invoice.public_id}`} data-testid="invoice-link">
          {texts.common.open}
        </a>
      </div>
    </>
  );
}
