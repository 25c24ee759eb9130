import type { Currency, DonationDraft, DonationLinkInfo } from '@paywatch/domain/contract';
import { useEffect, useState } from 'preact/hooks';
import type { Language } from '../ui/language.ts';
import type { DonateTexts } from './texts/donate-en.ts';
import { ClosedView } from './closed-view.tsx';
import { DonationForm } from './form/donation-form.tsx';
import {
  donationRequest,
  emptyDraft,
  offeredDraft,
  remainingErrors,
  validateDraft,
  type DraftErrors,
} from './form/donation-draft.ts';
import { failureMessage, rejectedFields, type DonationFailure } from './form/donation-failure.ts';
import { loadPaymentView, type PaymentView } from './payment-view.ts';
import { startDonation, type DonationStart } from './start/start-donation.ts';

export type DonateAppProps = {
  token: string;
  link: DonationLinkInfo;
  draft: DonationDraft | null;
  /** Why the server rejected a submission without JavaScript; undefined where nothing was submitted. */
  failure: DonationFailure | undefined;
  language: Language;
  texts: DonateTexts;
};

type Payment = Extract<DonationStart, { kind: 'started' }>['payment'] & { readonly view: PaymentView };

/** The donation page: the form, then the payment view in its place. */
export function DonateApp(props: DonateAppProps) {
  const { token, link, draft: sentDraft, failure, language, texts } = props;
  const offered = (of: DonationDraft) => offeredDraft(of, currencyOf(of, link), link);
  const [draft, setDraft] = useState(() => offered(sentDraft ?? emptyDraft(link)));
  const [errors, setErrors] = useState<DraftErrors>(failure ? rejectedFields(failure, texts) : {});
  const [failed, setFailed] = useState(failure === undefined ? null : failureMessage(failure, texts));
  const [isSubmitting, setSubmitting] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const [payment, setPayment] = usePaymentInHistory();
  const currency = currencyOf(draft, link);

  const change = (part: Partial<DonationDraft>) => {
    const next = offered({ ...draft, ...part });
    const found = validateDraft(next, currencyOf(next, link), link, texts);
    const left = remainingErrors(errors, found, part);
    setDraft(next);
    setErrors(left);
    // The message on top asks for corrections.
    if (Object.keys(left).length < Object.keys(errors).length && Object.keys(left).length === 0)
      setFailed(null);
  };
  const submit = async () => {
    const found = validateDraft(draft, currency, link, texts);
    setErrors(found);
    setFailed(null);
    if (Object.keys(found).length > 0 || isSubmitting) return focusFirstError(found);
    setSubmitting(true);
    const start = await startOrFail(token, donationRequest(draft, currency), {
      link,
      onProgress: setProgress,
    });
    const view = start.kind === 'started' ? await loadPaymentView(language) : null;
    setSubmitting(false);
    setProgress(null);
    if (start.kind === 'started' && view !== null) setPayment({ ...start.payment, view });
    else if (start.kind !== 'failed') location.assign(`/pay/${publicIdOf(start)}${location.search}`);
    else {
      setErrors(rejectedFields(start.failure, texts));
      setFailed(failureMessage(start.failure, texts));
    }
  };

  if (payment !== null) {
    const nowMs = payment.serverNowMs ?? Date.now();
    const { PayApp, texts: payTexts } = payment.view;
    return (
      <PayApp
        invoice={payment.invoice}
        renderedAtMs={nowMs}
        offsetMs={nowMs - Date.now()}
        language={language}
        texts={payTexts}
        onDonateAgain={() => {
          setDraft(emptyDraft(link));
          setPayment(null);
        }}
      />
    );
  }
  if (!link.accepting || link.currencies.length === 0) return <ClosedView link={link} texts={texts} />;
  return (
    <DonationForm
      link={link}
      draft={draft}
      currency={currency}
      errors={errors}
      failure={failed}
      isSubmitting={isSubmitting}
      progress={progress}
      language={language}
      texts={texts}
      onChange={change}
      onUse={() => void loadPaymentView(language)}
      onSubmit={() => void submit()}
    />
  );
}

/** The selected currency if it has a free address, else one that has. A form without JavaScript may contain any text. */
function currencyOf(draft: DonationDraft, link: DonationLinkInfo): Currency {
  const { currencies, busy_currencies: busy = [] } = link;
  const free = currencies.filter((currency) => !busy.includes(currency));
  return free.find((currency) => currency === draft.currency) ?? free[0] ?? currencies[0] ?? 'BTC';
}

function publicIdOf(start: Exclude<DonationStart, { kind: 'failed' }>): string {
  return start.kind === 'started' ? start.payment.invoice.public_id : start.publicId;
}

/** Treats a script chunk that fails to load like any failed request. */
function startOrFail(...args: Parameters<typeof startDonation>): Promise<DonationStart> {
  return startDonation(...args).catch(() => ({ kind: 'failed', failure: null }));
}

function focusFirstError(errors: DraftErrors): void {
  const [first] = Object.keys(errors);
  if (first !== undefined) document.getElementById(first)?.focus();
}

/**
 * Keeps the payment in the browser history under the URL of its payment page: a reload shows it again, and the back
 * button returns to the form.
 */
function usePaymentInHistory(): [Payment | null, (payment: Payment | null) => void] {
  const [payment, setPayment] = useState<Payment | null>(null);
  useEffect(() => {
    const formPath = location.pathname;
    const onMove = () => {
      if (location.pathname === formPath) setPayment(null);
      else location.reload();
    };
    addEventListener('popstate', onMove);
    return () => removeEventListener('popstate', onMove);
  }, []);
  return [
    payment,
    (next) => {
      if (next === null) history.back();
      else {
        history.pushState(null, '', `/pay/${next.invoice.public_id}${location.search}`);
        setPayment(next);
        scrollTo(0, 0);
      }
    },
  ];
}
