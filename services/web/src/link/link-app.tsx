import type { PublicPaymentLink, PurchaseDraft } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import type { Language } from '../ui/language.ts';
import { ClosedView, closedReason } from './closed-view.tsx';
import type { LinkTexts } from './link-en.ts';
import { PurchaseForm } from './purchase-form.tsx';
import { amountError, currencyOf, openAmount, purchaseRequest } from './purchase-draft.ts';
import { failureMessage, refusedAmount, type PurchaseFailure } from './purchase-failure.ts';
import { startPurchase } from './start-purchase.ts';

export type LinkAppProps = {
  token: string;
  link: PublicPaymentLink;
  draft: PurchaseDraft | null;
  /** Why the server rejected a submission without JavaScript; undefined where nothing was submitted. */
  failure: PurchaseFailure | undefined;
  language: Language;
  texts: LinkTexts;
};

/** The page of a payment link: what is sold, and a form that leads to the payment page. */
export function LinkApp({ token, link, draft: sent, failure, language, texts }: LinkAppProps) {
  const [draft, setDraft] = useState(sent ?? { currency: '', amount: '' });
  const [error, setError] = useState(failure ? refusedAmount(failure, texts) : null);
  const [failed, setFailed] = useState(failure === undefined ? null : failureMessage(failure, texts));
  const [isSubmitting, setSubmitting] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const currency = currencyOf(draft, link);

  const submit = async () => {
    const open = openAmount(link);
    const found = amountError(open, draft.amount, currency, texts);
    setError(found);
    setFailed(null);
    if (found !== null || isSubmitting) return document.getElementById('amount')?.focus();
    setSubmitting(true);
    const request = purchaseRequest(open, draft.amount, currency);
    // A script chunk that fails to load is like any failed request.
    const started = await startPurchase(token, request, { link, onProgress: setProgress }).catch(() => ({
      failure: null,
    }));
    if ('publicId' in started) return location.assign(`/pay/${started.publicId}${location.search}`);
    setSubmitting(false);
    setProgress(null);
    setError(refusedAmount(started.failure, texts));
    setFailed(failureMessage(started.failure, texts));
  };

  const reason = closedReason(link);
  if (reason !== null) return <ClosedView link={link} reason={reason} texts={texts} />;
  return (
    <PurchaseForm
      link={link}
      typed={draft.amount}
      currency={currency}
      error={error}
      failure={failed}
      isSubmitting={isSubmitting}
      progress={progress}
      language={language}
      texts={texts}
      onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      onSubmit={() => void submit()}
    />
  );
}
