import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Language } from '../../ui/language.ts';
import type { PayTexts } from '../texts/pay-en.ts';
import { followInvoice, type Connection } from '../follow-invoice.ts';
import { isFinalStatus, payStage } from '../pay-stage.ts';
import { documentTitle } from '../stage-text.ts';
import { PayView } from './pay-view.tsx';
import { useServerClock } from '../server-clock.ts';

export type PayAppProps = {
  invoice: PublicInvoiceView;
  /** The server's clock when `invoice` was read, and its offset from the device's clock. */
  renderedAtMs: number;
  offsetMs: number;
  language: Language;
  texts: PayTexts;
  onDonateAgain?: () => void;
  onInvoice?: (invoice: PublicInvoiceView) => void;
};

/** The interactive payment page: follows the invoice and counts down. */
export function PayApp(props: PayAppProps) {
  const { invoice: initial, renderedAtMs, offsetMs, language, texts, onDonateAgain, onInvoice } = props;
  const [invoice, setInvoice] = useState(initial);
  const [connection, setConnection] = useState<Connection>({ isLost: false, updatedAtMs: renderedAtMs });
  const { nowMs, correct } = useServerClock(renderedAtMs, offsetMs, !isFinalStatus(invoice.status));
  const onServerTime = useRef(correct);
  onServerTime.current = correct;
  // Before the paint: a slow phone would open the stream hundreds of milliseconds later.
  useLayoutEffect(
    () =>
      followInvoice(initial, {
        onInvoice: (next, serverNowMs) => {
          setInvoice(next);
          onInvoice?.(next);
          if (serverNowMs !== null) onServerTime.current(serverNowMs);
        },
        onConnection: setConnection,
      }),
    [initial, onInvoice],
  );
  const title = documentTitle(texts, payStage(invoice, nowMs), invoice);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <PayView
      invoice={invoice}
      nowMs={nowMs}
      connection={connection}
      language={language}
      texts={texts}
      wasWatched={payStage(initial, renderedAtMs) !== 'paid'}
      {...(onDonateAgain === undefined ? {} : { onDonateAgain })}
    />
  );
}
