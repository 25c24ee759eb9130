import { useSignedInAccount } from '../../app/account-context.ts';
import { codeSamples } from '../start/code-samples.ts';
import { InvoiceForm } from './invoice-form.tsx';
import { CodeTabs } from '../../parts/code-tabs.tsx';
import { Panel, Screen } from '../../parts/panel.tsx';

/** The form for a new invoice, and the API call that creates one. */
export function NewInvoiceScreen() {
  const { texts, navigate } = useSignedInAccount();
  const sample = codeSamples({ origin: location.origin, currency: 'BTC' }).invoice;
  return (
    <Screen title={texts.invoices.create} testId="new-invoice">
      <Panel>
        <InvoiceForm onCreated={({ public_id: id }) => navigate(`/account/invoices/${id}`)} />
      </Panel>
      <CodeTabs sample={sample} />
    </Screen>
  );
}
