import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { PaymentView } from '../../donate/payment-view.ts';
import type { Language } from '../../ui/language.ts';
import { saleState, type SaleState } from './last-sales.ts';
import type { PosTexts } from '../pos-en.ts';
import { playTone } from '../tone.ts';
import { useWakeLock } from '../use-wake-lock.ts';

/** An invoice that the device shows, and the server's clock when it was read. */
export type ShownSale = {
  readonly invoice: PublicInvoiceView;
  readonly serverNowMs: number;
  /** The device's clock at the same moment. */
  readonly shownAtMs: number;
};

type SaleViewProps = {
  sale: ShownSale;
  view: PaymentView;
  language: Language;
  texts: PosTexts;
  onState: (publicId: string, state: SaleState) => void;
  onClose: () => void;
};

/** The payment page of a sale, with a tone when the payment is seen, and the way back to the keypad. */
export function SaleView({ sale, view, language, texts, onState, onClose }: SaleViewProps) {
  const { invoice, serverNowMs } = sale;
  const section = useRef<HTMLElement>(null);
  const state = useRef(saleState(invoice, serverNowMs));
  useWakeLock();
  useEffect(() => section.current?.focus(), []);
  const onInvoice = useCallback(
    (next: PublicInvoiceView) => {
      const now = saleState(next, Date.now() + serverNowMs - sale.shownAtMs);
      if (state.current === 'open' && (now === 'seen' || now === 'paid')) playTone();
      state.current = now;
      onState(next.public_id, now);
    },
    [onState, sale, serverNowMs],
  );
  const { PayApp } = view;
  return (
    <section class="sale" ref={section} tabIndex={-1} aria-label={texts.sale} data-testid="sale">
      <PayApp
        invoice={invoice}
        renderedAtMs={serverNowMs}
        offsetMs={serverNowMs - sale.shownAtMs}
        language={language}
        texts={view.texts}
        onInvoice={onInvoice}
      />
      <button type="button" class="button sale__end" data-testid="new-sale" onClick={onClose}>
        {texts.newSale}
      </button>
    </section>
  );
}
