import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { useEffect, useState } from 'preact/hooks';
import { isolated } from '../../ui/isolated.ts';
import type { PayTexts } from '../texts/pay-en.ts';

/** Long enough to read the outcome, and to find the button that stops the return. */
const RETURN_SECONDS = 10;

type ReturnLinkProps = {
  invoice: PublicInvoiceView;
  texts: PayTexts;
  isPaid: boolean;
  /** Whether the payer watched the payment arrive. A page that is opened again later stays open. */
  wasWatched: boolean;
};

/**
 * The merchant's return link, only if it is https. Once the invoice is paid, it is the main button, and the page returns by itself after a
 * countdown, also out of a frame. No other outcome returns by itself: its text is for the payer.
 */
export function ReturnLink({ invoice, texts, isPaid, wasWatched }: ReturnLinkProps) {
  const { return_url: url, project_name: name } = invoice;
  if (url === null || !url.toLowerCase().startsWith('https://')) return null;
  return (
    <>
      <a class={isPaid ? 'button button--main' : 'button'} href={url} target="_top" data-testid="return-link">
        {name === null ? texts.backToShop : texts.backTo(isolated(name))}
      </a>
      {isPaid && wasWatched ? <ReturnCountdown url={url} texts={texts} /> : null}
    </>
  );
}

function ReturnCountdown({ url, texts }: { url: string; texts: PayTexts }) {
  const [seconds, setSeconds] = useState(RETURN_SECONDS);
  const [isStopped, setStopped] = useState(false);
  useEffect(() => {
    if (isStopped) return undefined;
    if (seconds === 0) open(url, '_top');
    const timer = setTimeout(() => setSeconds(Math.max(0, seconds - 1)), 1000);
    return () => clearTimeout(timer);
  }, [seconds, isStopped, url]);
  if (isStopped) return null;
  return (
    <>
      <p class="outcome__note" role="timer" data-testid="return-countdown">
        {texts.returning(seconds)}
      </p>
      <button type="button" class="button" data-testid="return-stop" onClick={() => setStopped(true)}>
        {texts.stayHere}
      </button>
    </>
  );
}
