import './pay.css';
import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { connectEmbedder } from '../embed/connect-embedder.ts';
import { hydrate, render, type ComponentChild } from 'preact';
import { Frame } from '../ui/frame.tsx';
import { loadPayTexts } from './texts/load-pay-texts.ts';
import { pageLanguage, pageRoot } from '../ui/page-data.ts';
import { pageData } from '../ui/rendered-data.ts';
import { ProblemView } from '../ui/problem/problem-view.tsx';
import { fetchInvoice, parseInvoice } from './fetch-public.ts';
import { LoadingView } from './view/loading-view.tsx';
import { PayApp } from './view/pay-app.tsx';
import { offsetOfPage } from './server-clock.ts';

const RETRY_MS = 3000;
const embedder = connectEmbedder();
const language = pageLanguage();
const texts = await loadPayTexts(language);
const served = pageData(parseInvoice);
// The previous history entry may be the donation form, which this script cannot render: let the server render it.
addEventListener('popstate', () => location.reload());
if (served === null) void loadInvoice();
else {
  const { data, renderedAtMs } = served;
  hydrate(framed(appOf(data, renderedAtMs, offsetOfPage(renderedAtMs))), pageRoot());
}

/** A static host serves the page without its invoice: fetch it, and retry until the API responds. */
async function loadInvoice(): Promise<void> {
  const publicId = location.pathname.split('/').at(-1) ?? '';
  const answer = await fetchInvoice(publicId);
  if (answer.kind === 'unreachable') {
    render(framed(<LoadingView texts={texts.pay} isFailing />), pageRoot());
    setTimeout(() => void loadInvoice(), RETRY_MS);
  } else if (answer.kind === 'unknown') {
    render(
      framed(<ProblemView code="invoice_not_found" requestId={null} texts={texts.problem} />),
      pageRoot(),
    );
  } else {
    const nowMs = answer.serverNowMs ?? Date.now();
    render(framed(appOf(answer.invoice, nowMs, nowMs - Date.now())), pageRoot());
  }
}

function appOf(invoice: PublicInvoiceView, renderedAtMs: number, offsetMs: number): ComponentChild {
  report(invoice);
  return (
    <PayApp
      onInvoice={report}
      invoice={invoice}
      renderedAtMs={renderedAtMs}
      offsetMs={offsetMs}
      language={language}
      texts={texts.pay}
    />
  );
}

function report(invoice: PublicInvoiceView): void {
  void embedder.then((page) => page?.report(invoice));
}

function framed(view: ComponentChild): ComponentChild {
  return <Frame language={language}>{view}</Frame>;
}
