import { useSignedInAccount } from '../../app/account-context.ts';
import { InvoiceForm } from './invoice-form.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { Panel, Screen } from '../../parts/panel.tsx';

const StepSample = lazy(async () => (await import('../start/step-sample.tsx')).StepSample);

/** The form for a new invoice, and the API call that creates one. */
export function NewInvoiceScreen() {
  const { texts, navigate } = useSignedInAccount();
  return (
    <Screen title={texts.invoices.create} testId="new-invoice">
      <Panel>
        <InvoiceForm onCreated={({ public_id: id }) => navigate(`/account/invoices/${id}`)} />
      </Panel>
      <StepSample step="invoice" currency="BTC" />
    </Screen>
  );
}
