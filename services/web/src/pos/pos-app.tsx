import type { PublicPaymentLink } from '@paywatch/domain/contract';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { loadPaymentView, type PaymentView } from '../donate/payment-view.ts';
import { ClosedView, closedReason } from '../link/closed-view.tsx';
import { purchaseRequest } from '../link/purchase-draft.ts';
import { failureMessage, refusedAmount, type PurchaseFailure } from '../link/purchase-failure.ts';
import { fetchInvoice } from '../pay/fetch-public.ts';
import type { Language } from '../ui/language.ts';
import { KeypadScreen, type Charge } from './keypad/keypad-screen.tsx';
import { saleState, type Sale } from './sales/last-sales.ts';
import type { AllTexts } from './load-pos-texts.ts';
import { SaleView, type ShownSale } from './sales/sale-view.tsx';
import { SalesList } from './sales/sales-list.tsx';
import { startSale } from './sales/start-sale.ts';
import { StartingView } from './sales/starting-view.tsx';
import { allowTone } from './tone.ts';
import { useSales } from './sales/use-sales.ts';

export type PosAppProps = { token: string; link: PublicPaymentLink; language: Language; texts: AllTexts };

type Step =
  | { readonly kind: 'keypad'; readonly failure: string | null }
  | { readonly kind: 'starting'; readonly amount: string; readonly stop: AbortController }
  | { readonly kind: 'sale'; readonly sale: ShownSale; readonly view: PaymentView };

/** The point of sale: a keypad, then the QR code and what becomes of the payment. */
export function PosApp({ token, link, language, texts }: PosAppProps) {
  const [step, setStep] = useState<Step>({ kind: 'keypad', failure: null });
  const [isOffline, setOffline] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const { sales, keep, setState } = useSales(token);
  // Loaded early, so that a phone that goes offline has it.
  useEffect(() => void loadPaymentView(language), [language]);
  const close = useCallback(() => setStep({ kind: 'keypad', failure: null }), []);

  const begin = (amount: string): AbortController => {
    allowTone();
    const stop = new AbortController();
    setOffline(false);
    setProgress(null);
    setStep({ kind: 'starting', amount, stop });
    return stop;
  };
  const show = async (sale: ShownSale) => {
    const view = await loadPaymentView(language);
    if (view === null) location.assign(`/pay/${sale.invoice.public_id}${location.search}`);
    else setStep({ kind: 'sale', sale, view });
  };
  const charge = async ({ amount, note, currency }: Charge) => {
    const shown = `${amount} ${link.price?.currency ?? currency}`;
    const { signal } = begin(shown);
    const request = {
      ...purchaseRequest(link.price === null ? 'coins' : 'price', amount, currency),
      ...(note === '' ? {} : { note }),
    };
    const sale = { request, idempotencyKey: crypto.randomUUID() };
    const started = await startSale(token, sale, {
      link,
      signal,
      onProgress: setProgress,
      onOffline: setOffline,
    });
    if (started === null) return;
    if ('failure' in started)
      return setStep({ kind: 'keypad', failure: failureText(started.failure, texts.link) });
    const { invoice } = started;
    const kept = { publicId: invoice.public_id, amount: shown, note, currency, startedAtMs: Date.now() };
    keep({ ...kept, state: 'open' });
    await show(shownNow(started));
  };
  const reopen = async (kept: Sale) => {
    const { signal } = begin(kept.amount);
    const answer = await fetchInvoice(kept.publicId);
    if (signal.aborted) return;
    if (answer.kind !== 'invoice')
      return setStep({ kind: 'keypad', failure: texts.link.problems.unreachable });
    const sale = shownNow(answer);
    setState(kept.publicId, saleState(sale.invoice, sale.serverNowMs));
    await show(sale);
  };

  if (step.kind === 'sale')
    return (
      <SaleView
        sale={step.sale}
        view={step.view}
        language={language}
        texts={texts.pos}
        onState={setState}
        onClose={close}
      />
    );
  if (step.kind === 'starting')
    return (
      <StartingView
        amount={step.amount}
        isOffline={isOffline}
        progress={progress}
        texts={texts.pos}
        onCancel={() => {
          step.stop.abort();
          close();
        }}
      />
    );
  const reason = closedReason(link);
  const list = (
    <SalesList sales={sales} language={language} texts={texts.pos} onOpen={(sale) => void reopen(sale)} />
  );
  if (reason !== null) return <ClosedView link={link} reason={reason} texts={texts.link} />;
  return (
    <KeypadScreen
      link={link}
      failure={step.failure}
      texts={texts.pos}
      onCharge={(typed) => void charge(typed)}
    >
      {list}
    </KeypadScreen>
  );
}

function failureText(failure: PurchaseFailure, texts: AllTexts['link']): string {
  return refusedAmount(failure, texts) ?? failureMessage(failure, texts);
}

function shownNow({
  invoice,
  serverNowMs,
}: {
  invoice: ShownSale['invoice'];
  serverNowMs: number | null;
}): ShownSale {
  const shownAtMs = Date.now();
  return { invoice, serverNowMs: serverNowMs ?? shownAtMs, shownAtMs };
}
