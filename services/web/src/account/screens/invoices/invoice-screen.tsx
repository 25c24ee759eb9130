import type { InvoiceView } from '@paywatch/domain/contract';
import { isFinalStatus } from '../../../pay/pay-stage.ts';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { InvoiceFacts } from './invoice-facts.tsx';
import { PaymentTable } from './payment-table.tsx';
import { StatusBadge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { May } from '../../parts/may.tsx';
import { Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import { timelineOf } from './timeline.ts';
import { useInterval, useLoad } from '../../api/use-load.ts';
import { useSubmit } from '../../api/use-submit.ts';

const REFRESH_MS = 5000;

/** One invoice: its details, payments and timeline. */
export function InvoiceScreen({ id }: { id: string }) {
  const { api, texts } = useSignedInAccount();
  const invoice = useLoad(() => api.getInvoice(id), [api, id]);
  const isOpen = invoice.value !== null && !isFinalStatus(invoice.value.status);
  useInterval(REFRESH_MS, isOpen, invoice.reload);
  return (
    <Screen title={texts.invoice.heading} id={id} testId="invoice">
      <WhenLoaded loaded={invoice}>
        {(view) => <InvoiceDetails invoice={view} onChanged={() => void invoice.reload()} />}
      </WhenLoaded>
    </Screen>
  );
}

function InvoiceDetails({ invoice, onChanged }: { invoice: InvoiceView; onChanged: () => void }) {
  const { texts } = useSignedInAccount();
  const words = texts.invoice;
  return (
    <>
      {invoice.reversed ? (
        <Notice tone="act" testId="reversed">
          {words.reversed}
        </Notice>
      ) : null}
      <Panel title={words.details} actions={<StatusBadge status={invoice.status} />}>
        <InvoiceFacts invoice={invoice} />
        <p class="label">{words.payPage}</p>
        <CopyField value={invoice.pay_url} testId="pay-url" />
        <div class="buttons">
          <a
            class="button"
            href={`/pay/${invoice.public_id}`}
            target="_blank"
            rel="noreferrer"
            data-testid="pay-link"
          >
            {texts.common.open}
          </a>
          <May call="extendInvoice">
            <ExtendButton invoice={invoice} onChanged={onChanged} />
          </May>
        </div>
      </Panel>
      <Panel title={words.payments}>
        <PaymentTable invoice={invoice} />
      </Panel>
      <Timeline invoice={invoice} />
    </>
  );
}

/** Extends an open invoice; each invoice can be extended once. */
function ExtendButton({ invoice, onChanged }: { invoice: InvoiceView; onChanged: () => void }) {
  const { api, texts } = useSignedInAccount();
  const extension = useSubmit<InvoiceView>();
  const words = texts.invoice;
  if (invoice.extended || isFinalStatus(invoice.status)) return null;
  const extend = async () => {
    if ((await extension.send(() => api.extendInvoice(invoice.public_id))) !== null) onChanged();
  };
  return (
    <>
      <ConfirmButton
        question={words.extendAsk(invoice.public_id)}
        detail={words.extendDetail}
        testId="extend"
        onConfirm={() => void extend()}
      >
        {words.extend}
      </ConfirmButton>
      <ProblemNotice problem={extension.problem} />
    </>
  );
}

function Timeline({ invoice }: { invoice: InvoiceView }) {
  const { api, texts, language } = useSignedInAccount();
  const events = useLoad(
    () => api.listEvents({ public_id: invoice.public_id }),
    [api, invoice.public_id, invoice.version],
  );
  return (
    <Panel title={texts.invoice.timeline}>
      <WhenLoaded loaded={events}>
        {({ data }) => (
          <ol class="timeline" data-testid="timeline">
            {timelineOf(invoice, data, texts, Date.now()).map(({ at, text, tone, eventId }) => (
              <li key={`${at}:${text}`} class="timeline__entry" data-tone={tone}>
                {eventId === null ? (
                  <span>{text}</span>
                ) : (
                  <a class="link" href={`/account/webhooks/${eventId}`}>
                    {text}
                  </a>
                )}
                <Moment at={at} language={language} />
              </li>
            ))}
          </ol>
        )}
      </WhenLoaded>
      <p>
        <a class="link" href={`/account/webhooks?public_id=${invoice.public_id}`}>
          {texts.invoice.events}
        </a>
      </p>
    </Panel>
  );
}
